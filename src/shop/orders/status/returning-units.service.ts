/**
 * Units of orders that a return takes: unshipped ones are stopped, shipped ones are expected back. A lower slice for
 * `returns`, which decides on returns. Every method runs in a transaction that holds the row lock of the order.
 */
import type { Db } from '#src/platform/database/database.ts';
import { writeFulfilment } from './refunded-units.store.ts';
import * as store from './returning-units.store.ts';
import type { RefundedBefore, ReturnableLine, ReturningUnits } from './returning-units.store.ts';

export class ReturningUnitsService {
  /** Lines with the units that a return can take. Also without a lock, for a page. */
  list(db: Db, orderId: string): Promise<readonly ReturnableLine[]> {
    return store.listReturnableLines(db, orderId);
  }

  /** Takes units; those that were not shipped can't be shipped any more. Take what `list` returned. */
  async take(tx: Db, orderId: string, units: readonly ReturningUnits[]): Promise<void> {
    await store.takeUnits(tx, orderId, units);
    await writeFulfilment(tx, orderId);
  }

  /**
   * Lowers how many refunded units count as refunded before a return took others, once such a refund is undone: a later
   * refund pays for the units of the return. Idempotent.
   */
  async limitRefundedBefore(tx: Db, orderId: string, limits: readonly RefundedBefore[]): Promise<void> {
    await store.limitRefundedBefore(tx, orderId, limits);
    await writeFulfilment(tx, orderId);
  }

  /** Gives units of a refused or cancelled return back: what was stopped can be shipped again. Call it once. */
  async giveBack(tx: Db, orderId: string, units: readonly ReturningUnits[]): Promise<void> {
    await store.giveBackUnits(tx, orderId, units);
    await writeFulfilment(tx, orderId);
  }
}
