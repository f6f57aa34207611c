import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** Units of a variant in an order that still expects its payment. */
export interface OpenOrderQuantity {
  readonly orderId: string;
  readonly variantId: string;
  readonly quantity: number;
}

/** Locks the open unpaid orders that contain one of these variants, in ascending id. */
export async function lockOpenOrdersWith(tx: Db, variantIds: readonly string[]): Promise<readonly OpenOrderQuantity[]> {
  await sql`
    select id from orders
    where is_open and paid_at is null
      and exists (select from order_lines line where line.order_id = orders.id and line.variant_id = any(${variantIds}::uuid[]))
    order by id for no key update
  `.execute(tx);
  // A payment or expiry may have been committed while this waited for a lock.
  const { rows } = await sql<OpenOrderQuantity>`
    select line.order_id as "orderId", line.variant_id as "variantId", sum(line.quantity)::integer as quantity
    from orders join order_lines line on line.order_id = orders.id
    where orders.is_open and orders.paid_at is null and line.variant_id = any(${variantIds}::uuid[])
    group by line.order_id, line.variant_id
  `.execute(tx);
  return rows;
}
