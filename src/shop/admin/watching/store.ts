/** Counts for metrics. Each is bounded by an index, whatever the number of all orders. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

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
