import { divideNearest, divideUp, cents, roundUpToPayable } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';

/** What comes off a subtotal: a share in hundredths of a percent, at most 10,000 of them, or an amount. */
export type Discount = { readonly basisPoints: number } | { readonly cents: Cents };

export interface DiscountedTotal {
  readonly totalCents: Cents;
  /** A whole multiple of 100. */
  readonly totalSats: Sats;
  /** For display: the discount as a percentage of the subtotal, with at most two decimals. */
  readonly percent: number;
}

const HUNDRED_PERCENT = 10_000n;

/**
 * What is left of a subtotal, never below zero: in dollars rounded to the nearest cent, halves up; in bitcoin rounded up
 * to a payable amount, of the same share, or for an amount in the proportion of the dollars.
 * @param subtotal of which the sats are a whole multiple of 100, so that what is left is never more.
 */
export function applyDiscount(
  subtotal: { readonly cents: Cents; readonly sats: Sats },
  discount: Discount | null,
): DiscountedTotal {
  const { cents: before, sats: beforeSats } = subtotal;
  if (discount === null || before === 0n) return { totalCents: before, totalSats: beforeSats, percent: 0 };
  if ('basisPoints' in discount) {
    const left = HUNDRED_PERCENT - BigInt(discount.basisPoints);
    return {
      totalCents: cents(divideNearest(before * left, HUNDRED_PERCENT)),
      totalSats: roundUpToPayable(divideUp(beforeSats * left, HUNDRED_PERCENT)),
      percent: discount.basisPoints / 100,
    };
  }
  const after = cents(before > discount.cents ? before - discount.cents : 0n);
  return {
    totalCents: after,
    totalSats: roundUpToPayable(divideUp(beforeSats * after, before)),
    percent: Number(divideNearest((before - after) * HUNDRED_PERCENT, before)) / 100,
  };
}
