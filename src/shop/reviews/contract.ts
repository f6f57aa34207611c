import { z } from 'zod';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_REVIEW_LENGTH } from './check-review.ts';

export const review = z.object({
  id,
  name: z.string(),
  text: z.string(),
  rating: z.int().min(1).max(5),
  created: instant,
});
export type Review = z.input<typeof review>;

const reviewStates = ['waiting', 'approved', 'rejected'] as const;
export type ReviewState = (typeof reviewStates)[number];

/** As whoever wrote it sees it. */
const ownReview = z.object({
  id,
  product_id: id,
  rating: z.int().min(1).max(5),
  text: z.string(),
  state: z.enum(reviewStates),
  created: instant,
});
export type OwnReview = z.input<typeof ownReview>;

const moderatedReview = z.object({
  ...review.shape,
  state: z.enum(reviewStates),
  /** Null: of the shop. */
  product: z.object({ id, name: z.string(), slug: z.string() }).nullable(),
});
const reviewInPath = z.object({ id });

export const reviewsApi = {
  'GET /reviews/shop': { summary: 'Approved reviews of the shop, newest first', response: z.array(review) },
  'GET /reviews/product/{id}': {
    summary: 'Approved reviews of a product, named by its id or its slug, newest first',
    params: z.object({ id: text(120) }),
    response: z.array(review),
    refusals: { 404: 'not-found' },
  },
  'GET /reviews/own': { summary: 'What the caller has written of products', response: z.array(ownReview) },
  'POST /reviews': {
    summary: 'A buyer’s review of a product that is paid for, once a product; it is shown when staff approve it',
    body: z.object({ product_id: id, rating: z.int().min(1).max(5), text: filledText(MAX_REVIEW_LENGTH) }),
    status: 201,
    response: ownReview,
    failureMessage: 'The review was not sent',
    refusals: { 403: 'not-bought', 409: 'reviewed-already' },
  },
  'GET /support/reviews': {
    summary: 'Staff: reviews, those that wait first come first, 25 a page',
    query: z.object({ state: z.enum(reviewStates).optional(), page: queryInteger(1, 100_000).optional() }),
    response: z.object({ reviews: z.array(moderatedReview), total: z.int().nonnegative(), page: z.int().positive() }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/reviews/{id}/approve': {
    summary: 'Staff: shows a review',
    params: reviewInPath,
    response: moderatedReview,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /support/reviews/{id}/reject': {
    summary: 'Staff: does not show a review, or no longer',
    params: reviewInPath,
    response: moderatedReview,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
