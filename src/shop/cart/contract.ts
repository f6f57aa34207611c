import { z } from 'zod';
import { listPromotionTypes } from '#src/shop/promotions/promotion-types.ts';
import { btc, filledText, id, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { ENERGY_CLASSES } from '#src/shop/catalogue/compliance/energy-label.ts';
import { findRegion } from '#src/shop/regions.ts';
import { MAX_LINE_QUANTITY } from './cart-limits.ts';

export { MAX_CART_LINES, MAX_LINE_QUANTITY } from './cart-limits.ts';

export const promoCode = z.object({ code: z.string(), type: z.enum(listPromotionTypes()), discount_value: z.number() });

export const cartItem = z.object({
  product_id: id,
  quantity: z.int(),
  price_usd: usd,
  price_btc: btc,
  /** Lowest unit price in the 30 days before the reduction; null if none is announced. */
  was_price_usd: usd.nullable(),
  /** The same as `was_price_usd`. */
  lowest_price_30_days_usd: usd.nullable(),
  /** Unit price times quantity. */
  total_usd: usd,
  total_btc: btc,
  /** Maximum quantity of the line: 99, or less by stock. */
  max_quantity: z.int().min(0).max(MAX_LINE_QUANTITY),
  isFree: z.boolean(),
  product: z.object({
    name: z.string(),
    slug: z.string(),
    sub_description: z.string(),
    main_image: z.string(),
    /** Absent without an energy label. */
    energy_class: z.enum(ENERGY_CLASSES).optional(),
  }),
  property_value_ids: z.array(id),
  /** Null for a product that is not on sale any more. */
  sku: z.string().nullable(),
  /** What the buyer should know before ordering this line; usually empty. */
  notices: z.array(
    z.object({
      code: z.enum(['withdrawn', 'sold-out', 'short', 'repriced']),
      message: z.string(),
      /** Remaining stock; set for `short`. */
      available: z.int().nullable(),
      /** Previous price; set for `repriced`. */
      was_usd: usd.nullable(),
    }),
  ),
});

/** Shipping and tax of a cart. */
const cartDelivery = z.object({
  /** Country that both are computed for; null: not known yet. */
  country: z.string().nullable(),
  is_delivered: z.boolean(),
  /** Whether the order is refused, since the price depends on a weight that is unknown. */
  is_weight_missing: z.boolean(),
  /** Null while it depends on the country; then it is not part of the total. */
  shipping_usd: usd.nullable(),
  shipping_btc: btc.nullable(),
  /** Null in a country without tax. */
  tax: z
    .object({
      name: z.string(),
      /** Whether prices contain the tax; otherwise it is added to them. */
      is_included: z.boolean(),
      is_reverse_charge: z.boolean(),
      total_usd: usd,
      /** Added to net prices. */
      added_btc: btc,
      /** Taken off gross prices by reverse charge. */
      deducted_usd: usd,
      deducted_btc: btc,
      rates: z.array(z.object({ basis_points: z.int(), tax_usd: usd })),
    })
    .nullable(),
  /** Name of the tax, if it is added in some countries and the country is not known yet; else null. */
  unknown_tax: z.string().nullable(),
  accepts_vat_number: z.boolean(),
  /** Whether a valid VAT number of the country leads to reverse charge. */
  allows_reverse_charge: z.boolean(),
  /** The entered VAT number, if it has the form of the country's numbers. */
  vat_number: z.string().nullable(),
});
export type CartDelivery = z.input<typeof cartDelivery>;

export const cart = z.object({
  has_guest_cart: z.boolean(),
  cart_items: z.array(cartItem),
  appliedPromoCode: promoCode.nullable(),
  promoError: z.string().nullable(),
  totalCartValue: usd,
  totalBtcValue: btc,
  discount: z.number(),
  suggestedPromo: promoCode.nullable(),
  subtotal_usd: usd,
  subtotal_btc: btc,
  discount_usd: usd,
  discount_btc: btc,
  /** Null where shipping is free and no tax is charged in any country. */
  delivery: cartDelivery.nullable(),
});
export type Cart = z.input<typeof cart>;
export type CartItem = z.input<typeof cartItem>;

const valueIds = z.array(id).max(50).optional();
const lineChange = z.object({
  product_id: id,
  quantity: z
    .int()
    .min(1)
    .max(MAX_LINE_QUANTITY, { message: `Maximum ${MAX_LINE_QUANTITY} per item` }),
  property_value_ids: valueIds,
});

export const cartApi = {
  'GET /cart': { summary: 'Returns the cart of the session or guest cookie', response: cart },
  'POST /cart/add': {
    summary: 'Adds to the quantity of a line; properties not named take the first values that are available',
    body: lineChange,
    response: cart,
    refusals: { 400: 'unknown-values, quantity-limit, lines-limit', 404: 'not-found', 409: 'sold-out' },
  },
  'PUT /cart/update': {
    summary: 'Sets the quantity of a line',
    body: lineChange,
    response: cart,
    refusals: { 400: 'unknown-values', 404: 'not-found, not-in-cart' },
  },
  'DELETE /cart/remove': {
    summary: 'Removes a line; without values, every line of the product',
    body: z.object({ product_id: id, property_value_ids: valueIds }),
    response: cart,
    refusals: { 400: 'unknown-values' },
  },
  'POST /cart/accept-prices': {
    summary: 'Accepts the current prices and clears the notices of changed prices',
    response: cart,
  },
  'PUT /cart/delivery': {
    summary: 'Sets what shipping and tax of the cart are computed for; omitted: not known',
    body: z.object({
      country: z
        .string()
        .refine((code) => findRegion(code) !== undefined, { message: 'must be a country code' })
        .optional(),
      vat_number: text(20).optional(),
    }),
    response: cart,
  },
  'POST /promocodes/apply': {
    summary: 'Applies a promo code, replacing the applied one',
    body: z.object({ code: filledText(64) }),
    response: cart,
    refusals: { 404: 'promo-not-found' },
  },
  'DELETE /promocodes/apply': { summary: 'Removes the promo code', response: cart },
  'GET /cart/guest': {
    summary: 'Lists the items of the guest cart',
    response: z.object({ cart_items: z.array(cartItem) }),
  },
  'POST /orders/transfer-cart': {
    summary: 'Merges the guest cart into the cart of the account; idempotent',
    response: z.object({ cart }),
    refusals: { 403: 'blocked' },
  },
} as const satisfies Contract;
