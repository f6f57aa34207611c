/** Dollars that the buyer paid for an order, and those that the shop waived. */
import { cents, divideNearest, NO_CENTS } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';

interface SettledOrder {
  readonly totalCents: Cents;
  readonly dueSats: Sats;
  /** Amount that staff accepted as full payment; null if they did not. */
  readonly settledSats: Sats | null;
}

/** Share of the total that the accepted amount paid. A shortfall within the tolerance is not waived. */
export function computePaidCents({ dueSats, settledSats, totalCents }: SettledOrder): Cents {
  if (settledSats === null || settledSats >= dueSats) return totalCents;
  return cents(divideNearest(totalCents * settledSats, dueSats));
}

/** What staff waived by accepting less than the amount due. */
export function computeWaivedCents(order: SettledOrder): Cents {
  const waived = order.totalCents - computePaidCents(order);
  return waived > 0n ? cents(waived) : NO_CENTS;
}
