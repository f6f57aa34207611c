/** Orders that ended some years ago. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { OrderToErase } from './store.ts';

export interface EndedOrder {
  readonly id: string;
  readonly number: bigint;
  readonly createdAt: Date;
  /** Of its last event. */
  readonly endedAt: Date;
}

export interface OrderPage {
  readonly limit: number;
  /** The last order of the page before; null: the first page. */
  readonly after: Pick<EndedOrder, 'createdAt' | 'id'> | null;
}

/** Nothing happened since this moment. */
const hasEnded = (before: Date): RawBuilder<unknown> => sql`
  created_at < ${before}
  and not exists (select from order_events where order_events.order_id = orders.id and order_events.at >= ${before})
`;

/** Orders with personal data, the oldest first. */
export async function listEndedOrders(
  db: Db,
  before: Date,
  { limit, after }: OrderPage,
): Promise<readonly EndedOrder[]> {
  const isLater =
    after === null ? sql`true` : sql`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<EndedOrder>`
    select id, number, created_at as "createdAt", coalesce(
      (select max(at) from order_events where order_events.order_id = orders.id), created_at) as "endedAt"
    from orders where personal_data_erased_at is null and ${hasEnded(before)} and ${isLater}
    order by created_at, id limit ${limit}
  `.execute(db);
  return rows;
}

export async function countEndedOrders(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from orders where personal_data_erased_at is null and ${hasEnded(before)} limit ${limit}
    ) ended
  `.execute(db);
  return rows[0]?.total ?? 0;
}

/** Those of these orders that have ended, with or without personal data. */
export async function findEndedOrders(
  db: Db,
  orderIds: readonly string[],
  before: Date,
): Promise<readonly OrderToErase[]> {
  const { rows } = await sql<OrderToErase>`
    select id, number, is_open, payment_status, fulfilment_status, recorded_received_sats, refund_state,
      closed_as_loss_of
    from orders where id = any(${orderIds}::uuid[]) and ${hasEnded(before)} order by id
  `.execute(db);
  return rows;
}

/**
 * As `findEndedOrders`, locked. Orders that another transaction has locked are left out, since it is changing them. Read after the
 * lock, so that an event of the former holder counts.
 */
export async function lockEndedOrders(
  tx: Db,
  orderIds: readonly string[],
  before: Date,
): Promise<readonly OrderToErase[]> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where id = any(${orderIds}::uuid[]) order by id for update skip locked
  `.execute(tx);
  return findEndedOrders(
    tx,
    rows.map(({ id }) => id),
    before,
  );
}
