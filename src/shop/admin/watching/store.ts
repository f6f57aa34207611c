/** Counts for metrics. Each is bounded by an index, whatever the number of all orders. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { CAN_SHIP } from '../orders/store.ts';

/** Larger counts are cut off. */
const MAX_COUNT = 10_000;

export interface OrderCount {
  readonly status: string;
  readonly state: string;
  readonly total: number;
}

/** Orders that are open or were placed after this time. */
export async function countRecentOrders(db: Db, since: Date): Promise<OrderCount[]> {
  const { rows } = await sql<OrderCount>`
    select payment_status as status, coalesce(recorded_state, 'awaiting') as state, count(*)::integer as total
    from orders where is_open or created_at > ${since} group by 1, 2
  `.execute(db);
  return rows;
}

export async function countOrdersToShip(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (select from orders where ${CAN_SHIP} limit ${MAX_COUNT}) waiting
  `.execute(db);
  return rows[0]?.total ?? 0;
}
