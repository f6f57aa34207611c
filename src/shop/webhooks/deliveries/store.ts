/** Deliveries to endpoints, their attempts, and the leases of the processes that send. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { DisableReason } from '../retry-schedule.ts';

export interface LeasedEndpoint {
  readonly id: string;
  readonly url: string;
  readonly secret: Uint8Array;
  /** Null: none signs any more. */
  readonly formerSecret: Uint8Array | null;
}

/**
 * Leases endpoints with a due delivery that no other process holds. Leases end by the clock of the database, so one of
 * a killed process ends too.
 */
export async function leaseEndpoints(
  db: Db,
  lease: { readonly token: string; readonly ms: number; readonly now: Date; readonly limit: number },
): Promise<readonly LeasedEndpoint[]> {
  const { token, ms, now, limit } = lease;
  const { rows } = await sql<LeasedEndpoint>`
    update webhook_endpoints set lease_token = ${token}, lease_until = clock_timestamp() + ${ms} * interval '1 ms'
    where id in (
      select endpoint.id from webhook_endpoints endpoint
      where state = 'enabled' and (lease_until is null or lease_until <= clock_timestamp())
        and (paused_until is null or paused_until <= ${now})
        and exists (
          select from webhook_deliveries delivery
          where delivery.endpoint_id = endpoint.id and delivery.state = 'pending' and delivery.next_at <= ${now}
        )
      order by lease_until nulls first limit ${limit} for update skip locked
    )
    returning id, url, secret,
      case when former_secret_until > ${now} then former_secret end as "formerSecret"
  `.execute(db);
  return rows;
}

/** A lease is renewed once it is this old; it is longer than a request by more. */
const RENEWED_AFTER_MS = 2_000;

export interface DueDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly objectId: string;
  readonly position: bigint;
  readonly body: string;
  readonly tries: number;
  readonly giveUpAt: Date;
}

/**
 * Renews the lease and returns the next due delivery whose object has no earlier one that is pending. Null for none,
 * or if the lease was lost, the endpoint was disabled, or it is paused.
 */
export async function findDueDelivery(
  db: Db,
  lease: { readonly endpointId: string; readonly token: string; readonly ms: number; readonly now: Date },
): Promise<DueDelivery | null> {
  const { endpointId, token, ms, now } = lease;
  const { rows } = await sql<DueDelivery>`
    with renewed as (
      -- Not for each delivery: a write costs a flush of the disk.
      update webhook_endpoints set lease_until = clock_timestamp() + ${ms} * interval '1 ms'
      where id = ${endpointId} and lease_token = ${token}
        and lease_until < clock_timestamp() + ${ms - RENEWED_AFTER_MS} * interval '1 ms'
    )
    select delivery.id, delivery.event_id as "eventId", delivery.object_id as "objectId", delivery.position,
      event.body, delivery.tries, delivery.give_up_at as "giveUpAt"
    from (
      select * from webhook_deliveries due
      where due.endpoint_id = ${endpointId} and due.state = 'pending' and due.next_at <= ${now}
        and exists (
          select from webhook_endpoints
          where id = ${endpointId} and lease_token = ${token} and state = 'enabled'
            and (paused_until is null or paused_until <= ${now})
        )
        -- A scalar subquery is evaluated row by row in the order of the index, and the search ends with the first match.
        and due.position = (
          select min(earlier.position) from webhook_deliveries earlier
          where earlier.endpoint_id = ${endpointId} and earlier.object_id = due.object_id and earlier.state = 'pending'
        )
      order by due.next_at, due.position limit 1
    ) delivery
    join webhook_events event on event.id = delivery.event_id
  `.execute(db);
  return rows[0] ?? null;
}

/** Locks the endpoint. False if the lease was lost or the endpoint deleted: another process sends now. */
export async function lockLeased(
  tx: Db,
  endpointId: string,
  token: string,
): Promise<{ failingSince: Date | null; failures: number } | null> {
  const { rows } = await sql<{ failingSince: Date | null; failures: number }>`
    select failing_since as "failingSince", failures from webhook_endpoints
    where id = ${endpointId} and lease_token = ${token} for no key update
  `.execute(tx);
  return rows[0] ?? null;
}

export async function releaseLease(db: Db, endpointId: string, token: string): Promise<void> {
  await sql`
    update webhook_endpoints set lease_token = null, lease_until = null
    where id = ${endpointId} and lease_token = ${token}
  `.execute(db);
}

export interface Attempt {
  readonly deliveryId: string;
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly response: string | null;
}

/** Attempts that are stored per delivery; manual ones have no other bound. */
const MAX_ATTEMPTS = 40;

/** Stores a failed attempt. @param nextAt of the retry; null: it is given up */
export async function recordFailedAttempt(
  tx: Db,
  { deliveryId, at, durationMs, status, failure, response }: Attempt,
  nextAt: Date | null,
): Promise<void> {
  const state = nextAt === null ? 'given_up' : 'pending';
  await sql`
    with delivery as (
      update webhook_deliveries set attempts = attempts + 1, tries = tries + 1, state = ${state},
        ended_at = ${nextAt === null ? at : null}, next_at = coalesce(${nextAt}, next_at)
      where id = ${deliveryId} returning id, attempts
    )
    insert into webhook_attempts (delivery_id, number, at, duration_ms, status, failure, response)
    select id, attempts, ${at}, ${durationMs}, ${status}, ${failure}, ${response} from delivery
  `.execute(tx);
  await sql`
    delete from webhook_attempts where delivery_id = ${deliveryId} and number <= (
      select attempts - ${MAX_ATTEMPTS}::integer from webhook_deliveries where id = ${deliveryId}
    )
  `.execute(tx);
}

/** Later deliveries of the object wait as well, so that the search for due ones does not meet them. */
export async function postponeLater(tx: Db, endpointId: string, objectId: string, nextAt: Date): Promise<void> {
  await sql`
    update webhook_deliveries set next_at = ${nextAt}
    where endpoint_id = ${endpointId} and object_id = ${objectId} and state = 'pending' and next_at < ${nextAt}
  `.execute(tx);
}

/**
 * Records a delivered attempt in one statement, without the lock of the other path: most attempts succeed. False if
 * the lease was lost.
 */
export async function recordDelivered(
  db: Db,
  { endpointId, token }: { readonly endpointId: string; readonly token: string },
  { deliveryId, at, durationMs, status, response }: Attempt,
): Promise<boolean> {
  const { rows } = await sql`
    with leased as (
      update webhook_endpoints set failing_since = null, failures = 0, paused_until = null
      where id = ${endpointId} and lease_token = ${token} returning id
    ), delivery as (
      update webhook_deliveries set attempts = attempts + 1, tries = tries + 1, state = 'delivered', ended_at = ${at}
      where id = ${deliveryId} and exists (select from leased) returning id, attempts
    ), pruned as (
      delete from webhook_attempts where delivery_id = ${deliveryId}
        and number <= (select attempts - ${MAX_ATTEMPTS}::integer from delivery)
    )
    insert into webhook_attempts (delivery_id, number, at, duration_ms, status, failure, response)
    select id, attempts, ${at}, ${durationMs}, ${status}, null, ${response} from delivery returning number
  `.execute(db);
  return rows.length > 0;
}

export async function recordFailure(tx: Db, endpointId: string, now: Date, pausedUntil: Date | null): Promise<void> {
  await sql`
    update webhook_endpoints set failing_since = coalesce(failing_since, ${now}), failures = failures + 1,
      paused_until = ${pausedUntil}
    where id = ${endpointId}
  `.execute(tx);
}

/** False if it is disabled already. */
export async function disable(tx: Db, endpointId: string, because: DisableReason, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints set state = 'disabled', disabled_because = ${because}, disabled_at = ${now},
      version = version + 1
    where id = ${endpointId} and state = 'enabled' returning id
  `.execute(tx);
  return rows.length > 0;
}

// ---- reading

export interface DeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly objectId: string;
  readonly createdAt: Date;
  readonly state: 'pending' | 'delivered' | 'given_up';
  readonly attempts: number;
  /** Null: it ended, or waits until its endpoint is enabled. */
  readonly nextAt: Date | null;
  readonly endedAt: Date | null;
  /** Of the last attempt. */
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
}

const COLUMNS = sql.raw(`
  delivery.id, delivery.endpoint_id as "endpointId", delivery.event_id as "eventId", event.type,
  delivery.object_id as "objectId", delivery.created_at as "createdAt", delivery.state, delivery.attempts,
  case when delivery.state = 'pending' and endpoint.state = 'enabled' then delivery.next_at end as "nextAt",
  delivery.ended_at as "endedAt", last.status as "lastStatus",
  last.failure as "lastFailure"`);
const FROM = sql.raw(`
  webhook_deliveries delivery join webhook_events event on event.id = delivery.event_id
  join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
  left join webhook_attempts last on last.delivery_id = delivery.id and last.number = delivery.attempts`);

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly state?: DeliveryRow['state'] | undefined;
  readonly type?: string | undefined;
  /** Of the event, the delivery or the object. */
  readonly anId?: string | undefined;
}

/** The newest first. */
export async function listDeliveries(
  db: Db,
  { endpointId, state, type, anId }: DeliveryFilter,
  place: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly DeliveryRow[]; readonly total: number }> {
  const condition = sql`
    delivery.endpoint_id = ${endpointId}
    and ${state === undefined ? sql`true` : sql`delivery.state = ${state}`}
    and ${type === undefined ? sql`true` : sql`event.type = ${type}`}
    and ${anId === undefined ? sql`true` : sql`${anId}::uuid in (delivery.id, delivery.event_id, delivery.object_id)`}
  `;
  const { rows } = await sql<DeliveryRow>`
    select ${COLUMNS} from ${FROM} where ${condition}
    order by delivery.created_at desc, delivery.id desc limit ${place.limit} offset ${place.offset}
  `.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::integer as total from webhook_deliveries delivery
    join webhook_events event on event.id = delivery.event_id where ${condition}
  `.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export async function findDelivery(db: Db, id: string): Promise<(DeliveryRow & { readonly body: string }) | null> {
  const { rows } = await sql<DeliveryRow & { readonly body: string }>`
    select ${COLUMNS}, event.body from ${FROM} where delivery.id = ${id}
  `.execute(db);
  return rows[0] ?? null;
}

/** The newest first. */
export async function listAttempts(
  db: Db,
  deliveryId: string,
): Promise<readonly (Omit<Attempt, 'deliveryId'> & { readonly number: number })[]> {
  const { rows } = await sql<Omit<Attempt, 'deliveryId'> & { readonly number: number }>`
    select number, at, duration_ms as "durationMs", status, failure, response
    from webhook_attempts where delivery_id = ${deliveryId} order by number desc
  `.execute(db);
  return rows;
}

/** Sends a delivery again, or now. Locks it. False if there is none, or if its endpoint is disabled. */
export async function resend(tx: Db, id: string, now: Date, giveUpAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update webhook_deliveries set state = 'pending', ended_at = null, tries = 0, next_at = ${now},
      give_up_at = greatest(give_up_at, ${giveUpAt})
    where id = ${id} and exists (
      select from webhook_endpoints where id = webhook_deliveries.endpoint_id and state = 'enabled'
    )
    returning id
  `.execute(tx);
  return rows.length > 0;
}
