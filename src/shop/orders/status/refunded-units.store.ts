/** Which units of order lines are refunded. The caller holds the row lock of the order. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { LineValue } from '../stored-order.ts';
import { UNITS_TO_SHIP } from './stopped-units.store.ts';

/** Units of a line that a refund covers. */
export interface RefundedUnits {
  readonly position: number;
  readonly isShipped: boolean;
  readonly quantity: number;
}

export interface UnitsOfRefund {
  readonly orderId: string;
  readonly units: readonly RefundedUnits[];
  readonly shipping: boolean;
}

const toRows = (units: readonly RefundedUnits[], isShipped: boolean) => {
  const chosen = units.filter((one) => one.isShipped === isShipped);
  return sql`unnest(${chosen.map(({ position }) => position)}::integer[],
    ${chosen.map(({ quantity }) => quantity)}::integer[]) as refunded (position, quantity)`;
};

/**
 * Counts units as refunded; false if another refund or a shipment has one of them. Constraints keep each
 * unit to one of them.
 */
export async function holdUnits(tx: Db, { orderId, shipping, units }: UnitsOfRefund): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select not exists (
      select from order_lines line join ${toRows(units, false)} on refunded.position = line.position
      where line.order_id = orders.id
        and line.shipped_quantity + line.refunded_unshipped_quantity + refunded.quantity > line.quantity
    ) and not exists (
      select from order_lines line join ${toRows(units, true)} on refunded.position = line.position
      where line.order_id = orders.id and line.refunded_shipped_quantity + refunded.quantity > line.shipped_quantity
    ) and not (${shipping}::boolean and shipping_refunded) as "isFree"
    from orders where id = ${orderId}
  `.execute(tx);
  if (rows[0]?.isFree !== true) return false;
  await addRefunded(tx, { orderId, shipping, units }, 1);
  return true;
}

/** Gives units back to their order. Refunds that were made before a return and are withdrawn no longer count as such. */
export const releaseUnits = (tx: Db, refund: UnitsOfRefund): Promise<void> => addRefunded(tx, refund, -1);

async function addRefunded(tx: Db, { orderId, shipping, units }: UnitsOfRefund, sign: 1 | -1): Promise<void> {
  await sql`
    update order_lines line set
      refunded_unshipped_quantity = refunded_unshipped_quantity + ${sign}::integer * refunded.quantity,
      refunded_before_stop = case when ${sign}::integer > 0 then refunded_before_stop
        else least(refunded_before_stop, refunded_unshipped_quantity - refunded.quantity) end
    from ${toRows(units, false)} where line.order_id = ${orderId} and line.position = refunded.position
  `.execute(tx);
  await sql`
    update order_lines line set
      refunded_shipped_quantity = refunded_shipped_quantity + ${sign}::integer * refunded.quantity,
      refunded_before_return = case when ${sign}::integer > 0 then refunded_before_return
        else least(refunded_before_return, refunded_shipped_quantity - refunded.quantity) end
    from ${toRows(units, true)} where line.order_id = ${orderId} and line.position = refunded.position
  `.execute(tx);
  if (shipping) await sql`update orders set shipping_refunded = ${sign === 1} where id = ${orderId}`.execute(tx);
  await writeFulfilment(tx, orderId);
}

/**
 * An order is shipped when no units are left and some were shipped. One whose units were all refunded or stopped
 * before shipping stays unfulfilled.
 */
export async function writeFulfilment(tx: Db, orderId: string): Promise<void> {
  await sql`
    update orders set fulfilment_status = case when units.are_left then 'partly_shipped' else 'shipped' end
    from (
      select bool_or(${UNITS_TO_SHIP} > 0) as are_left,
        bool_or(shipped_quantity > 0) as are_shipped
      from order_lines where order_id = ${orderId}
    ) units
    where id = ${orderId} and units.are_shipped and units_returned_at is null
      and ((units.are_left and fulfilment_status in ('shipped', 'delivered'))
        or (not units.are_left and fulfilment_status = 'partly_shipped'))
  `.execute(tx);
}

/** Ends or restores the commitment of refunded units that were not shipped. */
export async function changeReleased(
  tx: Db,
  orderId: string,
  units: readonly RefundedUnits[],
  sign: 1 | -1,
): Promise<void> {
  await sql`
    update order_lines line set released_quantity = released_quantity + ${sign}::integer * refunded.quantity
    from ${toRows(units, false)} where line.order_id = ${orderId} and line.position = refunded.position
  `.execute(tx);
}

/** A line of an order whose units are refunded. */
export interface RefundedLine {
  readonly order_id: string;
  readonly position: number;
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly name: string;
  readonly property_values: readonly LineValue[];
  /** The stock of the whole order is for sale. */
  readonly isOrderRestocked: boolean;
}

export async function listRefundedLines(db: Db, orderIds: readonly string[]): Promise<readonly RefundedLine[]> {
  const { rows } = await sql<RefundedLine>`
    select line.order_id, line.position, line.product_id, line.variant_id, line.name, line.property_values,
      orders.units_returned_at is not null as "isOrderRestocked"
    from order_lines line join orders on orders.id = line.order_id where line.order_id = any(${orderIds}::uuid[])
  `.execute(db);
  return rows;
}
