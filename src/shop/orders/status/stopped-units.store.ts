/** SQL of the units of an order line that are stopped or in a return, of the table `order_lines`. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Units that are stopped and not refunded. Refunds of unshipped units count as refunds of stopped ones, except those
 * that were made before the stop.
 */
export const STOPPED_UNITS: RawBuilder<number> = sql<number>`
  count_unrefunded(stopped_quantity, refunded_unshipped_quantity, refunded_before_stop)`;

/** Shipped units that are in a return and not refunded, in the same way. */
export const RETURNING_UNITS: RawBuilder<number> = sql<number>`
  count_unrefunded(returning_quantity, refunded_shipped_quantity, refunded_before_return)`;

/** Units that can be shipped. */
export const UNITS_TO_SHIP: RawBuilder<number> = sql<number>`(quantity - shipped_quantity - refunded_unshipped_quantity
  - ${STOPPED_UNITS})`;
