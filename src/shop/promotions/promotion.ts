import type { Cents } from '../money.ts';

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
export function isRunning(promotion: Promotion, now: Date): boolean {
  const { isActive, startsAt, endsAt, maxUses, uses } = promotion;
  const hasBegun = startsAt === null || startsAt <= now;
  const isOver = endsAt !== null && endsAt <= now;
  const isUsedUp = maxUses !== null && uses >= maxUses;
  return isActive && hasBegun && !isOver && !isUsedUp;
}

/** The discount as a plain number: percent, or US dollars for fixed_amount, or 0 for a gift. */
export function discountValue({ type, discountBasisPoints, discountCents }: Promotion): number {
  if (type === 'free_item') return 0;
  return Number(type === 'fixed_amount' ? (discountCents ?? 0n) : (discountBasisPoints ?? 0)) / 100;
}
