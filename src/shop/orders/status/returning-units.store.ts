/** Units of order lines that a return takes. The caller holds the row lock of the order. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { LineValue } from '../stored-order.ts';
import { RETURNING_UNITS, UNITS_TO_SHIP } from './stopped-units.store.ts';

/** Units of a line in one return. */
export interface ReturningUnits {
  readonly position: number;
  readonly quantity: number;
  /** Of the quantity: not shipped, and stopped. The others were shipped. */
  readonly cancelled: number;
}

export interface ReturnableLine {
  readonly position: number;
  readonly name: string;
  readonly values: readonly LineValue[];
  readonly quantity: number;
  /** Units that can be stopped: neither shipped, refunded nor stopped. */
  readonly unshipped: number;
  /** Shipped units that are neither refunded nor in a return. */
  readonly shipped: number;
}

/** In the order of the cart. */
export async function listReturnableLines(db: Db, orderId: string): Promise<readonly ReturnableLine[]> {
  const { rows } = await sql<ReturnableLine>`
    select position, name, property_values as values, quantity, ${UNITS_TO_SHIP} as unshipped,
      shipped_quantity - refunded_shipped_quantity - ${RETURNING_UNITS} as shipped
    from order_lines where order_id = ${orderId} order by position
  `.execute(db);
  return rows;
}

const toRows = (units: readonly ReturningUnits[]) => sql`unnest(
    ${units.map(({ position }) => position)}::integer[],
    ${units.map(({ cancelled }) => cancelled)}::integer[],
    ${units.map(({ cancelled, quantity }) => quantity - cancelled)}::integer[]
  ) as taken (position, stopped, returning_units)`;

/** Takes units for a return. Constraints refuse more than there are. */
export async function takeUnits(tx: Db, orderId: string, units: readonly ReturningUnits[]): Promise<void> {
  await sql`
    update order_lines line set
      stopped_quantity = stopped_quantity + taken.stopped,
      refunded_before_stop = case when taken.stopped = 0 then refunded_before_stop
        else greatest(refunded_before_stop, refunded_unshipped_quantity - stopped_quantity) end,
      returning_quantity = returning_quantity + taken.returning_units,
      refunded_before_return = case when taken.returning_units = 0 then refunded_before_return
        else greatest(refunded_before_return, refunded_shipped_quantity - returning_quantity) end
    from ${toRows(units)} where line.order_id = ${orderId} and line.position = taken.position
  `.execute(tx);
}

/** Units of a line that were refunded before returns took others of it. */
export interface RefundedBefore {
  readonly position: number;
  readonly unshipped: number;
  readonly shipped: number;
}

/** Lowers how many refunded units count as such; never raises it. */
export async function limitRefundedBefore(tx: Db, orderId: string, limits: readonly RefundedBefore[]): Promise<void> {
  await sql`
    update order_lines line set
      refunded_before_stop = least(refunded_before_stop, counted.unshipped),
      refunded_before_return = least(refunded_before_return, counted.shipped)
    from unnest(${limits.map(({ position }) => position)}::integer[],
      ${limits.map(({ unshipped }) => unshipped)}::integer[],
      ${limits.map(({ shipped }) => shipped)}::integer[]) as counted (position, unshipped, shipped)
    where line.order_id = ${orderId} and line.position = counted.position
  `.execute(tx);
}

/** Gives units of a return back: what was stopped can be shipped again. */
export async function giveBackUnits(tx: Db, orderId: string, units: readonly ReturningUnits[]): Promise<void> {
  await sql`
    update order_lines line set
      stopped_quantity = stopped_quantity - taken.stopped,
      returning_quantity = returning_quantity - taken.returning_units
    from ${toRows(units)} where line.order_id = ${orderId} and line.position = taken.position
  `.execute(tx);
}
