/** Units of the simulated order: shipped, and refunded by line. */
import { computePaidCents } from '#src/shop/orders/paid-amount.ts';
import { addCents, NO_CENTS, NO_SATS, sumSats } from '#src/shop/money.ts';
import { countRefundable } from '#src/shop/refunds/lines/line-refund.ts';
import type { RefundableOrder } from '#src/shop/refunds/lines/line-refund.ts';
import { UNITS } from './order-record.ts';
import type { Refund } from './order-record.ts';
import type { OrderSimulation } from './order-simulation.ts';

export class SimulatedUnits {
  readonly #shop: OrderSimulation;
  readonly #refunds: readonly Refund[];

  constructor(shop: OrderSimulation, refunds: readonly Refund[]) {
    this.#shop = shop;
    this.#refunds = refunds;
  }

  /** `readRefundableOrder` */
  get order(): RefundableOrder {
    const held = this.#refunds.filter(({ holdsUnits }) => holdsUnits);
    const { due_sats: dueSats, settled_sats: settledSats, total_after_cents: totalCents } = this.#shop.order;
    const units = held.flatMap(({ lines }) => lines?.units ?? []);
    const count = (isShipped: boolean): number =>
      units.reduce((sum, one) => (one.isShipped === isShipped ? sum + one.quantity : sum), 0);
    const line = {
      position: 0,
      quantity: UNITS,
      shippedQuantity: this.#shop.shippedUnits,
      refundedShipped: count(true),
      refundedUnshipped: count(false),
      netCents: computePaidCents({ dueSats, settledSats, totalCents }),
      taxCents: NO_CENTS,
      refundedNetCents: addCents(...units.map(({ netCents }) => netCents)),
      refundedTaxCents: NO_CENTS,
    };
    return {
      lines: [line],
      shipping: { netCents: NO_CENTS, taxCents: NO_CENTS, isRefunded: false },
      amounts: held.flatMap(({ parts }) => parts ?? []),
      refundedSats: sumSats([NO_SATS, ...held.map(({ debitSats }) => debitSats)]),
    };
  }

  get left(): { readonly unshipped: number; readonly shipped: number } {
    const [line] = this.order.lines;
    return line === undefined ? { unshipped: 0, shipped: 0 } : countRefundable(line);
  }

  /** `LineRefunds.holdUnits`. Its units are never restocked. */
  hold(): void {
    for (const refund of this.#refunds) {
      if (refund.lines === null || refund.holdsUnits !== (refund.state === 'withdrawn')) continue;
      if (refund.holdsUnits) {
        refund.holdsUnits = false;
        // The stock of the whole order is for sale.
        if (this.#shop.order.units_returned_at !== null) this.#shop.appendEvent('units_returned');
      } else refund.holdsUnits = this.#areLeft(refund);
      this.#writeFulfilment();
    }
  }

  #areLeft({ lines }: Refund): boolean {
    const { shipped, unshipped } = this.left;
    return (lines?.units ?? []).every(({ isShipped, quantity }) => quantity <= (isShipped ? shipped : unshipped));
  }

  /** `writeFulfilment` */
  #writeFulfilment(): void {
    const { order, shippedUnits } = this.#shop;
    if (shippedUnits === 0 || order.units_returned_at !== null) return;
    const { unshipped } = this.left;
    const isDone = order.fulfilment_status === 'shipped' || order.fulfilment_status === 'delivered';
    if (unshipped > 0 && isDone) this.#shop.order = { ...order, fulfilment_status: 'partly_shipped' };
    if (unshipped === 0 && order.fulfilment_status === 'partly_shipped')
      this.#shop.order = { ...order, fulfilment_status: 'shipped' };
  }
}
