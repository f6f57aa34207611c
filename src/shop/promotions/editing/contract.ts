import { z } from 'zod';
import { id, instant, MAX_INTEGER, queryInteger, rowVersion, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { promotionStates } from '../promotion-state.ts';
import { listPromotionTypes } from '../promotion-types.ts';

const page = queryInteger(1, 100_000).optional();
const count = z.int().nonnegative();
const paged = { total: count, page: z.int().positive() };
const params = z.object({ id });

const whole = z.int().min(-MAX_INTEGER).max(MAX_INTEGER);

/** A promotion as staff enter it. Amounts and dates are checked by `promotion-fields.ts`, in the browser too. */
export const promotionFields = z.object({
  code: text(60),
  type: z.enum(listPromotionTypes()),
  /** Percent or US dollars, by its type; 0 for a gift. */
  discount_value: z.number().min(0).max(1_000_000),
  gift_product_id: id.nullable(),
  starts_at: z.iso.datetime().nullable(),
  /** Exclusive. */
  ends_at: z.iso.datetime().nullable(),
  minimum_subtotal_usd: z.number().min(0).max(1_000_000).nullable(),
  max_uses: whole.nullable(),
  max_uses_per_user: whole.nullable(),
  is_active: z.boolean(),
  is_advertised: z.boolean(),
  /** Order on the promotions page, lowest first. */
  position: whole,
});
export type PromotionFields = z.input<typeof promotionFields>;

const staffPromotion = z.object({
  id,
  code: z.string(),
  type: z.enum(listPromotionTypes()),
  discount_value: z.number(),
  gift_product: z.object({ id, name: z.string(), is_on_sale: z.boolean() }).nullable(),
  starts_at: instant.nullable(),
  ends_at: instant.nullable(),
  minimum_subtotal_usd: usd.nullable(),
  max_uses: count.nullable(),
  max_uses_per_user: count.nullable(),
  is_active: z.boolean(),
  is_advertised: z.boolean(),
  position: z.int(),
  /** Send it with a change. */
  version: z.int(),
  /** Without those of cancelled and expired orders. */
  uses: count,
  state: z.enum(promotionStates),
  /** No order ever used it. */
  can_be_deleted: z.boolean(),
  created_at: instant,
  updated_at: instant,
});
export type StaffPromotion = z.input<typeof staffPromotion>;

const promotionUse = z.object({
  order_id: id,
  number: z.string(),
  used_at: instant,
  username: z.string(),
  discount_usd: usd,
  /** Name of the gift; null without one. */
  gift: z.string().nullable(),
});
export type ListedUse = z.input<typeof promotionUse>;

const changed = z.object({ promotion: staffPromotion });

export const staffPromotionsApi = {
  'GET /support/promotions': {
    summary: 'Staff: all promotions, newest first, 25 a page. q is a part of the code',
    query: z.object({ q: text(60).optional(), state: z.enum(promotionStates).optional(), page }),
    response: z.object({ promotions: z.array(staffPromotion), ...paged }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/promotions': {
    summary: 'Staff: creates a promotion. A large discount needs a recent password',
    status: 201,
    body: promotionFields,
    response: changed,
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'code-taken' },
  },
  'GET /support/promotions/{id}': {
    summary: 'Staff: a promotion',
    params,
    response: changed,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'PUT /support/promotions/{id}': {
    summary:
      'Staff: changes a promotion. Orders that used it stay as they are. A large discount needs a recent password',
    params,
    body: promotionFields.extend({ version: rowVersion(1) }),
    response: changed,
    refusals: {
      401: 'reauth',
      403: 'forbidden',
      404: 'not-found',
      409: 'changed-meanwhile, code-taken, limit-below-uses',
    },
  },
  'POST /support/promotions/{id}/enable': {
    summary: 'Staff: enables a promotion. Idempotent. A large discount needs a recent password',
    params,
    response: changed,
    refusals: { 401: 'reauth', 403: 'forbidden', 404: 'not-found' },
  },
  'POST /support/promotions/{id}/disable': {
    summary: 'Staff: disables a promotion. Its code is refused from the next checkout on. Idempotent',
    params,
    response: changed,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'DELETE /support/promotions/{id}': {
    summary: 'Staff: deletes a promotion that no order ever used',
    params,
    response: z.object({ deleted: id }),
    refusals: { 403: 'forbidden', 404: 'not-found', 409: 'used' },
  },
  'GET /support/promotions/{id}/uses': {
    summary: 'Staff: orders that used a promotion, newest first, 25 a page, without cancelled and expired ones',
    params,
    query: z.object({ page }),
    response: z.object({
      uses: z.array(promotionUse),
      ...paged,
      /** Sum of the discounts. */
      given_usd: usd,
      /** Number of gifts. */
      gifts: count,
    }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
