/** Events to send, and a delivery for each endpoint that selected their type. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Types that enabled endpoints selected. */
export async function readSelectedTypes(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ type: string }>`
    select distinct unnest(event_types) as type from webhook_endpoints where state = 'enabled'
  `.execute(db);
  return new Set(rows.map(({ type }) => type));
}

export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly objectId: string;
  readonly at: Date;
  readonly body: string;
  /** When a failing delivery is given up. */
  readonly giveUpAt: Date;
}

/** Inserts events in the order given. The ids of deliveries are random. */
export async function insertEvents(tx: Db, events: readonly NewEvent[]): Promise<void> {
  for (const { id, type, objectId, at, body, giveUpAt } of events) {
    await sql`
      with event as (
        insert into webhook_events (id, type, object_id, created_at, body)
        values (${id}, ${type}, ${objectId}, ${at}, ${body})
      )
      insert into webhook_deliveries (id, endpoint_id, event_id, object_id, created_at, next_at, give_up_at)
      select gen_random_uuid(), endpoint.id, ${id}, ${objectId}, ${at}, ${at}, ${giveUpAt}
      from webhook_endpoints endpoint where endpoint.state = 'enabled' and ${type} = any(endpoint.event_types)
      order by endpoint.slot
    `.execute(tx);
  }
}

/** An event for one endpoint, whatever it selected. False if the endpoint is not enabled. */
export async function insertEventFor(tx: Db, endpointId: string, event: NewEvent): Promise<boolean> {
  const { id, type, objectId, at, body, giveUpAt } = event;
  const { rows } =
    await sql`select id from webhook_endpoints where id = ${endpointId} and state = 'enabled' for key share`.execute(
      tx,
    );
  if (rows.length === 0) return false;
  await sql`
    insert into webhook_events (id, type, object_id, created_at, body) values (${id}, ${type}, ${objectId}, ${at}, ${body})
  `.execute(tx);
  await sql`
    insert into webhook_deliveries (id, endpoint_id, event_id, object_id, created_at, next_at, give_up_at)
    values (gen_random_uuid(), ${endpointId}, ${id}, ${objectId}, ${at}, ${at}, ${giveUpAt})
  `.execute(tx);
  return true;
}

/** Deletes events with their deliveries. Returns how many. */
export async function deleteEventsBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from webhook_events where id in (
      select id from webhook_events where created_at < ${before} order by created_at limit ${limit}
    ) returning id
  `.execute(db);
  return rows.length;
}
