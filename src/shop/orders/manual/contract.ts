import { z } from 'zod';
import { emailAddress } from '#src/shop/accounts/contract.ts';
import { cart } from '#src/shop/cart/contract.ts';
import { MAX_CART_LINES, MAX_LINE_QUANTITY } from '#src/shop/cart/cart-limits.ts';
import { filledText, id, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { manualWindows } from '../checkout/manual-window.ts';
import { billing } from '../contract.ts';
import { findRegion } from '#src/shop/regions.ts';

const variant = z.object({
  product_id: id,
  /** Chosen values; together with the product they identify the variant. */
  property_value_ids: z.array(id),
  name: z.string(),
  values: z.array(z.object({ property: z.string(), value: z.string() })),
  sku: z.string(),
  main_image: z.string(),
  price_usd: usd,
  /** Units that can be ordered; null if the stock is not tracked. */
  available: z.int().nullable(),
});
export type OrderVariant = z.input<typeof variant>;

const lines = z
  .array(
    z.object({
      product_id: id,
      property_value_ids: z.array(id).max(50),
      quantity: z
        .int()
        .min(1)
        .max(MAX_LINE_QUANTITY, { message: `Maximum ${MAX_LINE_QUANTITY} per item` }),
    }),
  )
  .min(1)
  .max(MAX_CART_LINES);

const draft = z.object({
  /** An existing account; omitted for a new customer. */
  customer_id: id.optional(),
  lines,
  promo_code: filledText(64).optional(),
});

export const manualOrdersApi = {
  'GET /support/order-defaults': {
    summary: 'Staff: the country with which a new order begins, that of the shop; empty if not set',
    response: z.object({ country: z.string() }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/customers/{id}/billing': {
    summary: 'Staff: billing details of the newest order of a customer that still has them; null: none',
    params: z.object({ id }),
    response: z.object({ billing: billing.nullable() }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/order-variants': {
    summary: 'Staff: variants on sale by words of name and values, or by the beginning of the SKU, with stock',
    query: z.object({ q: filledText(200) }),
    response: z.object({ variants: z.array(variant), has_more: z.boolean() }),
    refusals: { 403: 'forbidden' },
  },
  'POST /support/orders/preview': {
    summary: 'Staff: what a new order would cost, computed as the cart of its customer would be. Stores nothing',
    body: draft.extend({
      country: z
        .string()
        .refine((code) => findRegion(code) !== undefined, { message: 'must be a country code' })
        .optional(),
      vat_number: text(20).optional(),
    }),
    response: cart,
    refusals: { 403: 'forbidden', 409: 'withdrawn' },
  },
  'POST /support/orders': {
    summary:
      'Staff: creates an order for a customer, who gets a mail with the payment link. A repeated Idempotency-Key returns the first order',
    body: draft.extend({
      /** Of a new customer. An address that has an account uses that account. */
      email: emailAddress.optional(),
      name: filledText(60).optional(),
      billing,
      /** How long the price in bitcoin and the stock are reserved. */
      window: z.enum(manualWindows),
      /** Total that the member of staff saw. If it is another one now, nothing is created. */
      expected_total_usd: usd,
    }),
    status: 201,
    response: z.object({ order_id: id }),
    refusals: {
      400: 'invalid, below-dust, country-not-in-region, not-delivered, phone, postcode, vat-number, weight-unknown',
      403: 'forbidden, blocked',
      404: 'not-found',
      409: 'order-open, withdrawn, repriced, promo, sold-out, reserve-limit',
      422: 'idempotency-key-reused',
      503: 'no-rate',
    },
  },
} as const satisfies Contract;
