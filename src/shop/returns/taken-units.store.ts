/** Which units of an order refunds and returns took, and in which order. The caller holds the row lock of the order. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { UnitsInOrder } from './count-refunded-before.ts';

export interface TakenUnits extends UnitsInOrder {
  readonly position: number;
  readonly isShipped: boolean;
}

/** Of refunds that are not withdrawn. */
export async function listRefundedUnits(tx: Db, orderId: string): Promise<readonly TakenUnits[]> {
  const { rows } = await sql<TakenUnits>`
    select position, is_shipped as "isShipped", quantity, taken_order as sequence
    from refund_lines join refunds on refunds.id = refund_id
    where refund_lines.order_id = ${orderId} and holds_units and state <> 'withdrawn'
  `.execute(tx);
  return rows;
}

/**
 * Of returns that did not end without taking any: stopped units, and shipped ones without those that the shop does not
 * accept, which may be none.
 */
export async function listReturnedUnits(tx: Db, orderId: string): Promise<readonly TakenUnits[]> {
  const { rows } = await sql<TakenUnits>`
    select position, units.is_shipped as "isShipped", units.quantity, taken_order as sequence
    from return_lines line
    join returns on returns.id = line.return_id
    cross join lateral (values
      (false, cancelled_quantity, cancelled_quantity),
      (true, line.quantity - cancelled_quantity, case when inspected_at is null then line.quantity - cancelled_quantity
        else restocked_quantity + damaged_quantity end)
    ) units (is_shipped, expected, quantity)
    where line.order_id = ${orderId} and units.expected > 0
      and (closed_at is null or outcome in ('refunded', 'exchanged')
        or (cause = 'withdrawal' and outcome in ('not-refunded', 'too-little')))
  `.execute(tx);
  return rows;
}
