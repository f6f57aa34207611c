import { cents } from '#src/shop/money.ts';
import { getDiscount } from './apply-discount.ts';
import { getDiscountValue } from './promotion.ts';
import type { Promotion } from './promotion.ts';
import type { PromotionType } from './promotion-types.ts';
import type { Discount } from './apply-discount.ts';

/**
 * Snapshot of a promotion stored with an order, so that later changes do not affect it. JSON types
 * only.
 */
export interface PromotionSnapshot {
  readonly id: string;
  readonly code: string;
  readonly type: PromotionType;
  readonly discount_value: number;
  readonly discount_basis_points: number | null;
  readonly discount_cents: string | null;
}

export const snapshotPromotion = (promotion: Promotion): PromotionSnapshot => ({
  id: promotion.id,
  code: promotion.code,
  type: promotion.type,
  discount_value: getDiscountValue(promotion),
  discount_basis_points: promotion.discountBasisPoints,
  discount_cents: promotion.discountCents === null ? null : String(promotion.discountCents),
});

/** Discount of the order; null for a gift. */
export function getSnapshotDiscount({
  discount_basis_points: share,
  discount_cents: amount,
}: PromotionSnapshot): Discount | null {
  const discountCents = amount === null ? null : cents(BigInt(amount));
  return getDiscount({ discountBasisPoints: share, discountCents });
}

/** Converts the snapshot to the API response. */
export const toAppliedPromoCode = ({ code, type, discount_value }: PromotionSnapshot) => ({
  code,
  type,
  discount_value,
});
