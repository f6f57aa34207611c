/** Keeps the units of orders as their refunds of lines require. */
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { SettledUnits } from '#src/shop/orders/status/refunded-units.service.ts';
import type { OrderStatus } from '#src/shop/orders/status/service.ts';
import { isFullyRefunded } from './line-refund.ts';
import * as store from './store.ts';
import type { LineRefundRow } from './store.ts';

export interface LineRefundsOptions {
  readonly clock: Clock;
  readonly orderStatus: Pick<OrderStatus, 'refundedUnits'>;
}

const toUnits = ({ coversShipping, orderId, units }: LineRefundRow) => ({ orderId, units, shipping: coversShipping });

/** The units that go on sale again, and the others. */
const divideByStock = (refund: LineRefundRow, isUndone: boolean): readonly SettledUnits[] => {
  const { coversShipping: shipping, orderId } = refund;
  const select = (isRestocked: boolean): SettledUnits => ({
    orderId,
    shipping,
    isRestocked,
    isUndone,
    units: refund.units
      .map(({ restocked, ...one }) => ({ ...one, quantity: isRestocked ? restocked : one.quantity - restocked }))
      .filter(({ quantity }) => quantity > 0),
  });
  return [select(true), select(false)].filter(({ units }) => units.length > 0);
};

/** Every method runs in a transaction that holds the row locks of the orders. */
export class LineRefunds {
  readonly #options: LineRefundsOptions;

  constructor(options: LineRefundsOptions) {
    this.#options = options;
  }

  /**
   * Takes the units of refunds that are not withdrawn, and gives back those of withdrawn ones. Units that were
   * shipped or refunded meanwhile stay so: the refund counts as an excess. Idempotent.
   */
  async holdUnits(tx: Db, orderId: string): Promise<void> {
    const { refundedUnits } = this.#options.orderStatus;
    await this.#undoStock(tx, orderId);
    for (const refund of await store.listUnmatched(tx, orderId)) {
      if (refund.holdsUnits) await refundedUnits.release(tx, toUnits(refund));
      else if (!(await refundedUnits.hold(tx, toUnits(refund)))) continue;
      await store.writeHolding(tx, refund.id, !refund.holdsUnits);
    }
  }

  async #undoStock(tx: Db, orderId: string): Promise<void> {
    const withdrawn = await store.claimWithdrawn(tx, [orderId]);
    const undone = withdrawn.flatMap((refund) => divideByStock(refund, true));
    await this.#options.orderStatus.refundedUnits.settle(tx, undone, this.#options.clock.now());
  }

  /** Decides on the stock of units whose refund is confirmed now. Idempotent. */
  async settleStock(tx: Db, orderIds: readonly string[]): Promise<void> {
    const now = this.#options.clock.now();
    const confirmed = await store.claimConfirmed(tx, orderIds, now);
    const settled = confirmed.flatMap((refund) => divideByStock(refund, false));
    await this.#options.orderStatus.refundedUnits.settle(tx, settled, now);
  }

  /** Whether all units and the shipping of an order are refunded. */
  async isFullyRefunded(tx: Db, orderId: string): Promise<boolean> {
    return isFullyRefunded(await store.readRefundableOrder(tx, orderId));
  }
}
