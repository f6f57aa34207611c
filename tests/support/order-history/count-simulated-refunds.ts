import { computePaidCents } from '#src/shop/orders/paid-amount.ts';
import { countRefunds } from '#src/shop/refunds/count-refunds.ts';
import type { Order, Refund } from './order-record.ts';

/** `RefundMatching.#count` */
export function countSimulatedRefunds(list: readonly Refund[], order: Order): void {
  const { due_sats: dueSats, settled_sats: settledSats, total_after_cents: totalCents } = order;
  const refunds = list.map((refund) => ({
    ...refund,
    valueCents: refund.returns.value?.cents ?? null,
    valueSats: refund.returns.value?.sats ?? null,
  }));
  for (const one of countRefunds(refunds, computePaidCents({ dueSats, settledSats, totalCents }))) {
    const refund = list.find(({ id }) => id === one.id);
    if (refund === undefined) continue;
    Object.assign(refund, { countedCents: one.cents, countedSats: one.sats });
    if (refund.covers === 'amount') refund.holdsUnits = one.cents !== null;
  }
}
