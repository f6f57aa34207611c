import type { Cents } from '#src/shop/money.ts';
import type { Discount } from './apply-discount.ts';

export const promotionTypes = [
  'free_item',
  'discount_percent',
  'extra_discount',
  'fixed_percent',
  'fixed_amount',
] as const;
export type PromotionType = (typeof promotionTypes)[number];

export interface Promotion {
  readonly id: string;
  /** In capitals. */
  readonly code: string;
  readonly type: PromotionType;
  /** Hundredths of a percent; of the three types that take off a share. */
  readonly discountBasisPoints: number | null;
  /** Of fixed_amount. */
  readonly discountCents: Cents | null;
  /** Of free_item. */
  readonly giftProductId: string | null;
  readonly startsAt: Date | null;
  /** The first moment at which it is over. */
  readonly endsAt: Date | null;
  readonly minimumSubtotalCents: Cents | null;
  readonly maxUses: number | null;
  readonly maxUsesPerUser: number | null;
  readonly uses: number;
  readonly isActive: boolean;
  /** Shown to everybody. */
  readonly isAdvertised: boolean;
}

/** Whether the code may be used at all at that moment, whoever asks. */
export const isRunning = (promotion: Promotion, now: Date): boolean => findGeneralProblem(promotion, now) === null;

/** The discount as a plain number: percent, or US dollars for fixed_amount, or 0 for a gift. */
export function getDiscountValue({ type, discountBasisPoints, discountCents }: Promotion): number {
  if (type === 'free_item') return 0;
  return Number(type === 'fixed_amount' ? (discountCents ?? 0n) : (discountBasisPoints ?? 0)) / 100;
}

/** What comes off the subtotal; null for a gift. */
export function getDiscount({
  discountBasisPoints,
  discountCents,
}: Pick<Promotion, 'discountBasisPoints' | 'discountCents'>): Discount | null {
  if (discountCents !== null) return { cents: discountCents };
  return discountBasisPoints === null ? null : { basisPoints: discountBasisPoints };
}

/** A code as it is kept: the same whatever its case and the blanks around it. */
export const normaliseCode = (written: string): string => written.trim().toUpperCase();

/** What a cart has to do with a promotion. */
export interface PromotionClaim {
  readonly now: Date;
  /** Of the lines that are no gifts. */
  readonly subtotalCents: Cents;
  /** How often this buyer has used it; null while nobody knows who the buyer is. */
  readonly usesByBuyer: number | null;
  /** Whether its gift, if it has one, is on sale and not sold out. */
  readonly isGiftAvailable: boolean;
}

/** Why a promotion gives a cart nothing. */
export type PromotionProblem =
  | 'withdrawn'
  | 'not-begun'
  | 'over'
  | 'used-up'
  | 'used-by-you'
  | 'gift-gone'
  | 'below-minimum';

/** Why it can be used by nobody at that moment. */
export function findGeneralProblem(promotion: Promotion, now: Date): PromotionProblem | null {
  const { isActive, startsAt, endsAt, maxUses, uses } = promotion;
  if (!isActive) return 'withdrawn';
  if (startsAt !== null && startsAt > now) return 'not-begun';
  if (endsAt !== null && endsAt <= now) return 'over';
  return maxUses !== null && uses >= maxUses ? 'used-up' : null;
}

/** The first reason that holds, what the buyer can mend last; null when the promotion gives what it promises. */
export function findPromotionProblem(promotion: Promotion, claim: PromotionClaim): PromotionProblem | null {
  const { maxUsesPerUser, minimumSubtotalCents, giftProductId } = promotion;
  const forAll = findGeneralProblem(promotion, claim.now);
  if (forAll !== null) return forAll;
  if (maxUsesPerUser !== null && (claim.usesByBuyer ?? 0) >= maxUsesPerUser) return 'used-by-you';
  if (giftProductId !== null && !claim.isGiftAvailable) return 'gift-gone';
  if (minimumSubtotalCents !== null && claim.subtotalCents < minimumSubtotalCents) return 'below-minimum';
  return null;
}
