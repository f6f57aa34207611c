import { z } from 'zod';
import { filledText, id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { MAX_NAME_LENGTH, MAX_REPLY_LENGTH, MAX_REVIEW_LENGTH } from './check-review.ts';

export const review = z.object({
  id,
  name: z.string(),
  text: z.string(),
  rating: z.int().min(1).max(5),
  created: instant,
});
export type Review = z.input<typeof review>;

/** The shop's public reply. A call of its own, since the fields of a review are fixed (API-13). */
const reviewReply = z.object({ review_id: id, text: z.string() });
export type ReviewReply = z.input<typeof reviewReply>;

const reviewStates = ['waiting', 'approved', 'rejected'] as const;
export type ReviewState = (typeof reviewStates)[number];

/** A review as shown to its author. */
const ownReview = z.object({
  id,
  product_id: id,
  /** Shown with the review. */
  name: z.string(),
  rating: z.int().min(1).max(5),
  text: z.string(),
  state: z.enum(reviewStates),
  created: instant,
});
export type OwnReview = z.input<typeof ownReview>;

const moderatedReview = z.object({
  ...review.shape,
  state: z.enum(reviewStates),
  /** Null for a review of the shop. */
  product: z.object({ id, name: z.string(), slug: z.string() }).nullable(),
  /** The author's account; null without one. */
  userId: id.nullable(),
  reply: z.string().nullable(),
  repliedAt: instant.nullable(),
});
export type ModeratedReview = z.input<typeof moderatedReview>;
const reviewInPath = z.object({ id });

export const reviewsApi = {
  'GET /reviews/shop': { summary: 'Lists approved reviews of the shop, newest first', response: z.array(review) },
  'GET /reviews/product/{id}': {
    summary: 'Lists approved reviews of a product (id or slug), newest first',
    params: z.object({ id: text(120) }),
    response: z.array(review),
    refusals: { 404: 'not-found' },
  },
  'GET /verified-reviews/product/{id}': {
    summary: 'Lists the ids of the approved reviews of a product that are from its buyers; the shop added the others',
    params: z.object({ id }),
    response: z.array(id),
    refusals: { 404: 'not-found' },
  },
  'GET /review-replies/shop': {
    summary: 'Lists the public replies to reviews of the shop',
    response: z.array(reviewReply),
  },
  'GET /review-replies/product/{id}': {
    summary: 'Lists the public replies to reviews of a product',
    params: z.object({ id }),
    response: z.array(reviewReply),
    refusals: { 404: 'not-found' },
  },
  'GET /reviews/own': { summary: 'Lists the product reviews of the caller', response: z.array(ownReview) },
  'GET /reviews/name': {
    summary: 'Returns the name that a new review of the caller shows by default',
    response: z.object({ name: z.string() }),
  },
  'POST /reviews': {
    summary: 'Submits a review of a paid product, once per product; shown after staff approve it',
    body: z.object({
      product_id: id,
      rating: z.int().min(1).max(5),
      text: filledText(MAX_REVIEW_LENGTH),
      /** Shown with the review. Without it: the name of `GET /reviews/name`. */
      name: filledText(MAX_NAME_LENGTH).optional(),
    }),
    status: 201,
    response: ownReview,
    failureMessage: 'The review was not sent',
    refusals: { 403: 'not-bought', 409: 'reviewed-already' },
  },
  'GET /support/reviews': {
    summary: 'Staff: reviews, waiting ones first, oldest first, 25 a page',
    query: z.object({ state: z.enum(reviewStates).optional(), page: queryInteger(1, 100_000).optional() }),
    response: z.object({ reviews: z.array(moderatedReview), total: z.int().nonnegative(), page: z.int().positive() }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/reviews/{id}/approve': {
    summary: 'Staff: approves a review',
    params: reviewInPath,
    response: moderatedReview,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'POST /support/reviews/{id}/reject': {
    summary: 'Staff: rejects or hides a review',
    params: reviewInPath,
    response: moderatedReview,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'PUT /support/reviews/{id}/reply': {
    summary: 'Staff: writes or edits the public reply to an approved review, unless it was changed meanwhile',
    params: reviewInPath,
    body: z.object({
      text: filledText(MAX_REPLY_LENGTH),
      /** The reply that the caller saw. */
      seen: text(MAX_REPLY_LENGTH).nullable(),
    }),
    response: moderatedReview,
    failureMessage: 'The reply was not saved',
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile, not-approved' },
  },
  'POST /support/reviews/{id}/remove-reply': {
    summary: 'Staff: removes the public reply, unless it was changed meanwhile',
    params: reviewInPath,
    body: z.object({ seen: text(MAX_REPLY_LENGTH).nullable() }),
    response: moderatedReview,
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'changed-meanwhile' },
  },
} as const satisfies Contract;
