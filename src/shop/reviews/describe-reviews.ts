import { formatNumber } from '#src/shop/format-number.ts';
import { computeAverageRating } from './average-rating.ts';

/** What stands above the reviews of a product. */
export interface ReviewSummary {
  /** Average rating, with what it is an average of; null without reviews. */
  readonly average: readonly [mean: string, of: string] | null;
  /** Whether and how reviews are verified. */
  readonly note: string;
}

const ONLY_BUYERS = 'Only buyers of this product can review it, once, and staff read each review before it appears.';

/** Whether and how reviews of a product are verified (Directive 2005/29/EC, article 7(6)). */
export function describeVerification(count: number, verified: number): string {
  if (count === verified) return ONLY_BUYERS;
  const others = verified === 0 ? 'These reviews were' : 'The others were';
  return `Reviews with “Verified purchase” are from buyers of this product in this shop. ${others} not checked: the shop added them. ${ONLY_BUYERS}`;
}

/** Reviews of the shop have no purchase that could be checked: nobody can send one. */
export const SHOP_REVIEWS_NOTE =
  'The shop added these reviews. We did not check whether their authors bought something here.';

export function summariseReviews(ratings: readonly number[], verified: number): ReviewSummary {
  const mean = computeAverageRating(ratings);
  const { length } = ratings;
  const of = ` out of 5, from ${length} ${length === 1 ? 'review' : 'reviews'}`;
  return {
    average: mean === null ? null : [formatNumber(mean, 1), of],
    note: describeVerification(length, verified),
  };
}
