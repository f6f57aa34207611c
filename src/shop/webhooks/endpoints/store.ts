/** Endpoints of webhooks and their secrets. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

const MAX_ENDPOINTS = 10;

export interface EndpointRow {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
  readonly state: 'enabled' | 'disabled';
  readonly disabledBecause: 'staff' | 'failing' | 'gone' | null;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
  readonly failingSince: Date | null;
  readonly formerSecretUntil: Date | null;
  readonly version: number;
}

const COLUMNS = sql.raw(`
  id, url, description, event_types as "eventTypes", state, disabled_because as "disabledBecause",
  disabled_at as "disabledAt", created_at as "createdAt", failing_since as "failingSince",
  former_secret_until as "formerSecretUntil", version`);

export async function listEndpoints(db: Db): Promise<readonly EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`select ${COLUMNS} from webhook_endpoints order by created_at, id`.execute(db);
  return rows;
}

export async function findEndpoint(db: Db, id: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`select ${COLUMNS} from webhook_endpoints where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Locks the endpoint until the transaction ends. */
export async function lockEndpoint(tx: Db, id: string): Promise<EndpointRow | null> {
  const { rows } = await sql<EndpointRow>`
    select ${COLUMNS} from webhook_endpoints where id = ${id} for update
  `.execute(tx);
  return rows[0] ?? null;
}

export interface EndpointFields {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
}

/** False if all slots are taken. */
export async function insertEndpoint(
  tx: Db,
  {
    id,
    url,
    description,
    eventTypes,
    secret,
    at,
  }: EndpointFields & { readonly id: string; readonly secret: Uint8Array; readonly at: Date },
): Promise<boolean> {
  // Two that are created at once would take the same slot.
  await sql`select pg_advisory_xact_lock(hashtextextended('webhook endpoints', 0))`.execute(tx);
  const { rows } = await sql`
    insert into webhook_endpoints (id, slot, url, description, event_types, secret, created_at)
    select ${id}, min(slot), ${url}, ${description}, ${eventTypes}::text[], ${Buffer.from(secret)}, ${at}
    from generate_series(1, ${MAX_ENDPOINTS}::integer) slot
    where slot not in (select taken.slot from webhook_endpoints taken)
    having min(slot) is not null returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Requires the locked row. */
export async function updateEndpoint(
  tx: Db,
  id: string,
  { url, description, eventTypes }: EndpointFields,
): Promise<void> {
  await sql`
    update webhook_endpoints set url = ${url}, description = ${description}, event_types = ${eventTypes}::text[],
      version = version + 1
    where id = ${id}
  `.execute(tx);
}

/** Requires the locked row. Enabling forgets the failures. */
export async function setState(tx: Db, id: string, isEnabled: boolean, now: Date): Promise<void> {
  await (
    isEnabled
      ? sql`
        update webhook_endpoints set state = 'enabled', disabled_because = null, disabled_at = null,
          failing_since = null, failures = 0, paused_until = null, version = version + 1
        where id = ${id}`
      : sql`
        update webhook_endpoints set state = 'disabled', disabled_because = 'staff', disabled_at = ${now},
          version = version + 1
        where id = ${id}`
  ).execute(tx);
}

/** Requires the locked row. */
export async function rotateSecret(tx: Db, id: string, secret: Uint8Array, formerUntil: Date): Promise<void> {
  await sql`
    update webhook_endpoints set former_secret = secret, former_secret_until = ${formerUntil},
      secret = ${Buffer.from(secret)}, version = version + 1
    where id = ${id}
  `.execute(tx);
}

export async function deleteEndpoint(tx: Db, id: string): Promise<void> {
  await sql`delete from webhook_endpoints where id = ${id}`.execute(tx);
}

/** Deliveries of an endpoint by state, in the last 30 days. */
export async function countDeliveries(
  db: Db,
): Promise<ReadonlyMap<string, { readonly pending: number; readonly givenUp: number }>> {
  const { rows } = await sql<{ id: string; pending: number; givenUp: number }>`
    select endpoint_id as id, (count(*) filter (where state = 'pending'))::integer as pending,
      (count(*) filter (where state = 'given_up'))::integer as "givenUp"
    from webhook_deliveries where state <> 'delivered' group by endpoint_id
  `.execute(db);
  return new Map(rows.map(({ id, pending, givenUp }) => [id, { pending, givenUp }]));
}
