import { formatDate } from '#src/shop/format.ts';
import { formatDollars } from './promo-label.ts';
import type { PromotionProblem, PromotionType } from './promotion.ts';

/** What of a running promotion decides what is said of it; amounts as on the wire. */
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
  /** In one line. */
  readonly title: string;
  /** In a sentence. */
  readonly text: string;
}

const BENEFITS: Readonly<Record<PromotionType, (told: DescribedPromotion) => Benefit>> = {
  free_item: ({ gift_product: gift }) => ({
    title: `${gift?.name ?? 'A gift'} for free`,
    text: 'We add it to your cart as a gift. It costs nothing, and neither does its delivery.',
  }),
  fixed_amount: ({ discount_value: value }) => ({
    title: `${formatDollars(value)} off`,
    text: `Your order costs ${formatDollars(value)} less, whatever is in it.`,
  }),
  extra_discount: ({ discount_value: value }) => ({
    title: `${value}% off everything`,
    text: `${value}% comes off everything in your cart.`,
  }),
  fixed_percent: ({ discount_value: value }) => ({
    title: `${value}% off`,
    text: `Everything in your cart costs ${value}% less.`,
  }),
  discount_percent: ({ discount_value: value }) => ({
    title: `${value}% discount`,
    text: `Take ${value}% off your whole order, large or small.`,
  }),
};

/** What a promotion gives. */
export const describeBenefit = (told: DescribedPromotion): Benefit => BENEFITS[told.type](told);

/** The conditions, one line each; the first two are always said, so that nobody has to wonder. */
export function listConditions(told: DescribedPromotion, timeZone: string | undefined): readonly string[] {
  const { minimum_subtotal_usd: minimum, ends_at: end, max_uses_per_user: perUser, is_limited: isLimited } = told;
  return [
    minimum === null ? 'No minimum order' : `Orders from ${formatDollars(minimum)}`,
    // The last minute is the one in which the last moment falls.
    end === null ? 'No end date' : `Until ${formatDate(new Date(Date.parse(end) - 1), 'moment', timeZone)}`,
    ...(perUser === null ? [] : [`You can use it ${formatTimes(perUser)}`]),
    ...(isLimited ? ['While it lasts'] : []),
  ];
}

/** Says why an applied code gives nothing, or nothing any more. */
export function formatPromotionError(
  code: string,
  problem: PromotionProblem,
  { minimumUsd, maxUsesPerUser }: { readonly minimumUsd: number | null; readonly maxUsesPerUser: number | null },
): string {
  switch (problem) {
    case 'withdrawn':
      return `The promo code ${code} is not valid any more`;
    case 'not-begun':
      return `The promo code ${code} is not valid yet`;
    case 'over':
      return `The promo code ${code} has expired`;
    case 'used-up':
      return `The promo code ${code} has been used up`;
    case 'used-by-you':
      return `You have used the promo code ${code} ${formatTimes(maxUsesPerUser ?? 1)} already`;
    case 'gift-gone':
      return `The gift of the promo code ${code} is sold out`;
    case 'below-minimum':
      return `The promo code ${code} needs an order of ${formatDollars(minimumUsd ?? 0)} or more`;
    default:
      return problem satisfies never;
  }
}
