import { formatDollars } from '#src/shop/format-number.ts';
import { formatDate } from '#src/shop/format.ts';
import type { PromotionProblem } from './promotion.ts';
import type { PromotionType } from './promotion-types.ts';

/** Fields of a running promotion used in messages; amounts as on the wire. */
interface DescribedPromotion {
  readonly type: PromotionType;
  readonly discount_value: number;
  readonly ends_at: string | null;
  readonly minimum_subtotal_usd: number | null;
  readonly max_uses_per_user: number | null;
  readonly is_limited: boolean;
  readonly gift_product: { readonly name: string } | null;
}

const formatTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`);

interface Benefit {
  /** One line. */
  readonly title: string;
  /** One sentence. */
  readonly text: string;
}

const BENEFITS: Readonly<Record<PromotionType, (promotion: DescribedPromotion, isShippedFree: boolean) => Benefit>> = {
  free_item: ({ gift_product: gift }, isShippedFree) => ({
    title: `${gift?.name ?? 'A gift'} for free`,
    text: `We add it to your cart as a free gift${isShippedFree ? ', with free shipping' : ''}.`,
  }),
  fixed_amount: ({ discount_value: value }) => ({
    title: `${formatDollars(value)} off`,
    text: `Save ${formatDollars(value)} on your order.`,
  }),
  extra_discount: ({ discount_value: value }) => ({
    title: `${value}% off everything`,
    text: `Save ${value}% on everything in your cart.`,
  }),
  fixed_percent: ({ discount_value: value }) => ({
    title: `${value}% off`,
    text: `Save ${value}% on everything in your cart.`,
  }),
  discount_percent: ({ discount_value: value }) => ({
    title: `${value}% discount`,
    text: `Save ${value}% on your order.`,
  }),
};

/** Benefit of a promotion. */
export const describeBenefit = (promotion: DescribedPromotion, isShippedFree = true): Benefit =>
  BENEFITS[promotion.type](promotion, isShippedFree);

/** Conditions, one line each. The first two are always included. */
export function listConditions(promotion: DescribedPromotion, timeZone: string | undefined): readonly string[] {
  const { minimum_subtotal_usd: minimum, ends_at: end, max_uses_per_user: perUser, is_limited: isLimited } = promotion;
  return [
    minimum === null ? 'No minimum order' : `Orders from ${formatDollars(minimum)}`,
    // Subtracts 1 ms: the end itself is excluded.
    end === null ? 'No end date' : `Until ${formatDate(new Date(Date.parse(end) - 1), 'moment', timeZone)}`,
    ...(perUser === null ? [] : [`You can use it ${formatTimes(perUser)}`]),
    ...(isLimited ? ['While supplies last'] : []),
  ];
}

/** Why an applied code does not apply, or no longer. */
export function formatPromotionError(
  code: string,
  problem: PromotionProblem,
  { minimumUsd, maxUsesPerUser }: { readonly minimumUsd: number | null; readonly maxUsesPerUser: number | null },
): string {
  switch (problem) {
    case 'withdrawn':
      return `The promo code ${code} is no longer valid`;
    case 'not-begun':
      return `The promo code ${code} is not valid yet`;
    case 'over':
      return `The promo code ${code} has expired`;
    case 'used-up':
      return `The promo code ${code} has been used up`;
    case 'used-by-you':
      return `You have already used the promo code ${code} ${formatTimes(maxUsesPerUser ?? 1)}`;
    case 'changed':
      return `The promo code ${code} has just changed. Check the new total`;
    case 'gift-unavailable':
      return `The gift of the promo code ${code} is sold out`;
    case 'below-minimum':
      return `The promo code ${code} requires an order of at least ${formatDollars(minimumUsd ?? 0)}`;
    default:
      return problem satisfies never;
  }
}
