/** Requests to issue the documents of orders. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Requests documents for the orders that were ever paid; others have none. Idempotent. */
export async function requestInvoices(tx: Db, orderIds: readonly string[], now: Date): Promise<void> {
  // Events too, since `paid_at` is cleared when a payment was double-spent.
  await sql`
    insert into invoice_requests (order_id, requested_at, next_at)
    select id, ${now}::timestamptz, ${now}::timestamptz from orders
    where id = any(${orderIds}::uuid[]) and (paid_at is not null
      or exists (select from order_events where order_id = orders.id and kind in ('paid', 'settled')))
    order by id
    on conflict (order_id) do update set next_at = excluded.next_at, attempts = 0
  `.execute(tx);
}

/** The next due request that no other process holds; null for none. */
export async function findNextRequest(db: Db, now: Date): Promise<string | null> {
  const { rows } = await sql<{ orderId: string }>`
    select order_id as "orderId" from invoice_requests where next_at <= ${now}
    order by next_at, order_id limit 1 for update skip locked
  `.execute(db);
  return rows[0]?.orderId ?? null;
}

/** Locks a request; false if another process holds it or has done it. */
export async function lockRequest(tx: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    select from invoice_requests where order_id = ${orderId} for update skip locked
  `.execute(tx);
  return rows.length > 0;
}

export async function deleteRequest(tx: Db, orderId: string): Promise<void> {
  await sql`delete from invoice_requests where order_id = ${orderId}`.execute(tx);
}

/** Postpones a failed request, each time for longer: up to an hour. */
export async function postponeRequest(db: Db, orderId: string, now: Date): Promise<void> {
  await sql`
    update invoice_requests set attempts = attempts + 1, waits_for_rate = null,
      next_at = ${now}::timestamptz + least(interval '1 hour', interval '2 seconds' * power(2, least(attempts, 12)))
    where order_id = ${orderId}
  `.execute(db);
}

/** Postpones a request whose document needs the rate of a day, which nobody entered yet. */
export async function waitForRate(
  tx: Db,
  orderId: string,
  { day, until }: { readonly day: string; readonly until: Date },
): Promise<void> {
  await sql`
    update invoice_requests set waits_for_rate = ${day}::date, attempts = 0, next_at = ${until} where order_id = ${orderId}
  `.execute(tx);
}

/** Requests that wait for a rate are due. */
export async function wakeWaitingRequests(tx: Db, now: Date): Promise<void> {
  await sql`update invoice_requests set next_at = ${now} where waits_for_rate is not null`.execute(tx);
}

interface WaitingRequests {
  readonly total: number;
  /** The first ones. */
  readonly orders: readonly { readonly id: string; readonly number: bigint }[];
  readonly days: readonly string[];
}

/** Requests that wait for a rate, with the first of their orders and days. */
export async function listWaitingRequests(db: Db, limit: number): Promise<WaitingRequests> {
  const [{ rows: orders }, { rows: days }] = [
    await sql<{ id: string; number: bigint; total: number }>`
      select orders.id, orders.number, count(*) over ()::int as total
      from invoice_requests join orders on orders.id = invoice_requests.order_id
      where waits_for_rate is not null order by orders.number limit ${limit}
    `.execute(db),
    await sql<{ day: string }>`
      select distinct waits_for_rate::text as day from invoice_requests
      where waits_for_rate is not null order by day limit ${limit}
    `.execute(db),
  ];
  return {
    total: orders[0]?.total ?? 0,
    orders: orders.map(({ id, number }) => ({ id, number })),
    days: days.map(({ day }) => day),
  };
}

interface FailedRequests {
  readonly total: number;
  readonly orders: readonly { readonly id: string; readonly number: bigint }[];
}

/** Requests that failed and are retried, with the first of their orders. */
export async function listFailedRequests(db: Db, limit: number): Promise<FailedRequests> {
  const { rows } = await sql<{ id: string; number: bigint; total: number }>`
    select orders.id, orders.number, count(*) over ()::int as total
    from invoice_requests join orders on orders.id = invoice_requests.order_id
    where attempts > 0 order by orders.number limit ${limit}
  `.execute(db);
  return { total: rows[0]?.total ?? 0, orders: rows.map(({ id, number }) => ({ id, number })) };
}
