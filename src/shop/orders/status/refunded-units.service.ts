/** Units of orders that refunds of lines take: they are not shipped, and go on sale again if staff chose that. */
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import { formatShortage } from '#src/shop/inventory/format-shortage.ts';
import type { Inventory } from '#src/shop/inventory/service.ts';
import type { Orders } from '../service.ts';
import { toStock } from './stock-of.ts';
import * as store from './refunded-units.store.ts';
import type { UnitsOfRefund } from './refunded-units.store.ts';

export interface RefundedUnitsOptions {
  readonly log: Log;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly inventory: Pick<Inventory, 'restock' | 'sellAgain'>;
  readonly catalogue: Pick<Catalogue, 'recordSale' | 'reverseSale'>;
}

/** Units whose refund was confirmed, or was withdrawn after that. */
export interface SettledUnits extends UnitsOfRefund {
  readonly isRestocked: boolean;
  readonly isUndone: boolean;
}

/** Every method runs in the caller's transaction, which holds the row locks of the orders. */
export class RefundedUnitsService {
  readonly #options: RefundedUnitsOptions;

  constructor(options: RefundedUnitsOptions) {
    this.#options = options;
  }

  /** Counts units as refunded; false if another refund or a shipment has one of them. */
  hold(tx: Db, refund: UnitsOfRefund): Promise<boolean> {
    return store.holdUnits(tx, refund);
  }

  /** Gives units back to their order. Undo their settlement first. */
  release(tx: Db, refund: UnitsOfRefund): Promise<void> {
    return store.releaseUnits(tx, refund);
  }

  /**
   * Decides on the stock of units. Call it once for each settlement, with all of a transaction, so that stock is
   * locked in id order.
   */
  async settle(tx: Db, settled: readonly SettledUnits[], now: Date): Promise<void> {
    if (settled.length === 0) return;
    const { catalogue, inventory } = this.#options;
    for (const { isUndone, orderId, units } of settled)
      await store.changeReleased(tx, orderId, units, isUndone ? -1 : 1);
    const lines = await store.listRefundedLines(
      tx,
      settled.map(({ orderId }) => orderId),
    );
    const [restocked, taken] = [selectStock(settled, lines, 'restock'), selectStock(settled, lines, 'take')];
    if (restocked.length > 0) {
      await inventory.restock(tx, restocked);
      await catalogue.reverseSale(tx, restocked);
      await this.#report(tx, restocked, 'units_returned', now);
    }
    if (taken.length === 0) return;
    const shortages = await inventory.sellAgain(tx, taken);
    await catalogue.recordSale(tx, taken);
    await this.#report(tx, taken, 'units_taken', now);
    const short = taken.filter(({ variantId }) => shortages.some((one) => one.variantId === variantId));
    for (const [orderId, quantities] of Map.groupBy(short, (one) => one.orderId)) {
      const words = formatShortage(shortages, quantities);
      await this.#options.orders.appendEvent(tx, orderId, 'units_gone', now, { words });
      this.#options.log.error({ order: orderId, words }, 'refund withdrawn, but the items are unavailable');
    }
  }

  async #report(
    tx: Db,
    stock: readonly { readonly orderId: string }[],
    kind: 'units_returned' | 'units_taken',
    now: Date,
  ): Promise<void> {
    for (const orderId of new Set(stock.map((one) => one.orderId)))
      await this.#options.orders.appendEvent(tx, orderId, kind, now, {});
  }
}

/** While the whole order is restocked, its units that were not shipped are for sale, refunded by line or not. */
function decideStep({ isRestocked, isUndone }: SettledUnits, isForSale: boolean): 'restock' | 'take' | null {
  if (isForSale) return isUndone && !isRestocked ? 'restock' : null;
  if (!isRestocked) return null;
  return isUndone ? 'take' : 'restock';
}

const selectStock = (
  settled: readonly SettledUnits[],
  lines: readonly store.RefundedLine[],
  step: 'restock' | 'take',
) =>
  settled.flatMap((refund) =>
    refund.units.flatMap(({ isShipped, position, quantity }) => {
      const line = lines.find((one) => one.order_id === refund.orderId && one.position === position);
      if (line === undefined || decideStep(refund, line.isOrderRestocked && !isShipped) !== step) return [];
      return { ...toStock({ ...line, quantity }), orderId: refund.orderId };
    }),
  );
