import { foldTyped } from '#src/shop/fold-typed.ts';
import type { Cents } from '#src/shop/money.ts';
import type { PromotionType } from './promotion-types.ts';

export interface Promotion {
  readonly id: string;
  /** Upper case. */
  readonly code: string;
  readonly type: PromotionType;
  /** Of a percentage. */
  readonly discountBasisPoints: number | null;
  /** Of an amount. */
  readonly discountCents: Cents | null;
  /** Of a gift. */
  readonly giftProductId: string | null;
  readonly startsAt: Date | null;
  /** Exclusive. */
  readonly endsAt: Date | null;
  readonly minimumSubtotalCents: Cents | null;
  readonly maxUses: number | null;
  readonly maxUsesPerUser: number | null;
  readonly uses: number;
  readonly isActive: boolean;
  /** Whether it is listed publicly and suggested. */
  readonly isAdvertised: boolean;
  /** Increments with each change by staff. */
  readonly version: number;
}

/** Whether the code can be used at that time, regardless of the buyer. */
export const isRunning = (promotion: Promotion, now: Date): boolean => findGeneralProblem(promotion, now) === null;

/** Discount as a number: percent or US dollars; 0 for a gift. */
export const getDiscountValue = ({ discountBasisPoints, discountCents }: Promotion): number =>
  Number(discountCents ?? discountBasisPoints ?? 0) / 100;

/** Stored form of a code: folded, with plain hyphens, in upper case. */
export const normaliseCode = (written: string): string =>
  foldTyped(written)
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .toUpperCase();

/** Facts of a cart that decide whether a promotion applies. */
export interface PromotionClaim {
  readonly now: Date;
  /** Sum of the lines that are not gifts. */
  readonly subtotalCents: Cents;
  /** Uses by this buyer; null for an unknown buyer. */
  readonly usesByBuyer: number | null;
  /** Whether the gift, if any, is on sale and in stock. */
  readonly isGiftAvailable: boolean;
}

/** Why nobody can use a promotion. */
type GeneralProblem = 'withdrawn' | 'not-begun' | 'over' | 'used-up';

/** Why a promotion does not apply. `changed`: staff changed it during the checkout. */
export type PromotionProblem = GeneralProblem | 'used-by-you' | 'changed' | 'gift-unavailable' | 'below-minimum';

/** Why nobody can use the promotion at that time. */
export function findGeneralProblem(promotion: Promotion, now: Date): GeneralProblem | null {
  const { isActive, startsAt, endsAt, maxUses, uses } = promotion;
  if (!isActive) return 'withdrawn';
  if (startsAt !== null && startsAt > now) return 'not-begun';
  if (endsAt !== null && endsAt <= now) return 'over';
  return maxUses !== null && uses >= maxUses ? 'used-up' : null;
}

/** First problem that holds, those the buyer can fix last; null if the promotion applies. */
export function findPromotionProblem(promotion: Promotion, claim: PromotionClaim): PromotionProblem | null {
  const { maxUsesPerUser, minimumSubtotalCents, giftProductId } = promotion;
  const forAll = findGeneralProblem(promotion, claim.now);
  if (forAll !== null) return forAll;
  if (maxUsesPerUser !== null && (claim.usesByBuyer ?? 0) >= maxUsesPerUser) return 'used-by-you';
  if (giftProductId !== null && !claim.isGiftAvailable) return 'gift-unavailable';
  if (minimumSubtotalCents !== null && claim.subtotalCents < minimumSubtotalCents) return 'below-minimum';
  return null;
}
