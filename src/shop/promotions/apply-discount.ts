import { divideNearest, divideUp, cents, roundUpToPayable } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import { computeReduction, WHOLE_BASIS_POINTS } from '#src/shop/price-reduction.ts';
import type { Promotion } from './promotion.ts';

/** Discount on a subtotal: a share in basis points, at most 10,000, or an amount. */
export type Discount = { readonly basisPoints: number } | { readonly cents: Cents };

type Discounting = Pick<Promotion, 'discountBasisPoints' | 'discountCents'>;

/** Discount on the subtotal; null for a gift. The amounts decide, not the type: a newer release may have stored another. */
export function getDiscount({ discountBasisPoints: basisPoints, discountCents }: Discounting): Discount | null {
  if (discountCents !== null) return { cents: discountCents };
  return basisPoints === null ? null : { basisPoints };
}

/** What the largest discount depends on. */
export type DiscountField = keyof Discounting | 'minimumSubtotalCents';

/**
 * The largest discount on a subtotal, in hundredths of a percent. A gift, and an amount without a minimum above it, can
 * be all that is paid for.
 */
export function computeLargestDiscount(promotion: Pick<Promotion, DiscountField>): number {
  const discount = getDiscount(promotion);
  const { minimumSubtotalCents: minimum } = promotion;
  if (discount !== null && 'basisPoints' in discount) return discount.basisPoints;
  const isWhole = discount === null || minimum === null || minimum <= discount.cents;
  return isWhole ? WHOLE_BASIS_POINTS : computeReduction(minimum, minimum - discount.cents);
}

export interface DiscountedTotal {
  readonly totalCents: Cents;
  /** A multiple of 100. */
  readonly totalSats: Sats;
  /** Discount as a percentage of the subtotal, at most two decimals. For display. */
  readonly percent: number;
}

const HUNDRED_PERCENT = 10_000n;

/**
 * Applies a discount, never below zero. Cents are rounded half up; sats are reduced by the same
 * share, or in proportion to the dollars, and rounded up to a payable amount.
 * @param subtotal with sats a multiple of 100, so that the total never exceeds it
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
