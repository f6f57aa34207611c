import { formatUsd } from '#src/shop/format-number.ts';
import type { Cents } from '#src/shop/money.ts';

/** Another total, which the buyer has to accept before a requote. */
export interface Repricing {
  readonly oldTotalCents: Cents;
  readonly newTotalCents: Cents;
  /** What changed, for the buyer. */
  readonly words: string;
}

interface Totals {
  readonly oldTotalCents: Cents;
  readonly newTotalCents: Cents;
  /** Why the promo code of the order was left out; null if it was not. */
  readonly promoError: string | null;
}

/**
 * What the buyer has to accept before the requote; null for nothing.
 * @param expectedTotalCents the total that the buyer accepted; null: none
 */
export function findRepricing(
  { newTotalCents, oldTotalCents, promoError }: Totals,
  expectedTotalCents: Cents | null,
): Repricing | null {
  const isChanged = newTotalCents !== oldTotalCents || promoError !== null;
  if (expectedTotalCents === null ? !isChanged : expectedTotalCents === newTotalCents) return null;
  const totals =
    newTotalCents === oldTotalCents
      ? `The total is still ${formatUsd(newTotalCents)}`
      : `The total is now ${formatUsd(newTotalCents)} instead of ${formatUsd(oldTotalCents)}`;
  return { oldTotalCents, newTotalCents, words: promoError === null ? totals : `${promoError}. ${totals}` };
}
