import { fulfilmentStatuses, paymentStatuses } from './kinds.ts';
import { z } from 'zod';
import { promoCode } from '#src/shop/cart/contract.ts';
import { chain } from '#src/shop/payments/chain-sync/contract.ts';
import { payment } from '#src/shop/payments/contract.ts';
import { btc, filledText, id, instant, text, signedBtc, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { regionNames } from '#src/shop/regions.ts';
import { taxClasses } from '#src/shop/tax/tax-class.ts';

const field = filledText(100);
export const billing = z.object({
  firstName: field,
  lastName: field,
  region: z.enum(regionNames),
  country: z.string().regex(/^[A-Z]{2}$/),
  streetAddress: field,
  houseNumber: field,
  city: field,
  postcode: field,
  phone: text(40).optional(),
  /** Of a business in the European Union; used where the shop has reverse charge switched on. */
  vatNumber: text(20).optional(),
  /** For the courier. */
  note: text(500).optional(),
});
export type Billing = z.input<typeof billing>;

const orderItem = z.object({
  product_id: id,
  product: z.object({ name: z.string(), slug: z.string(), main_image: z.string() }),
  quantity: z.int(),
  price_usd: usd,
  price_btc: btc,
  /** Unit price times quantity. */
  total_usd: usd,
  total_btc: btc,
  isFree: z.boolean(),
  /** Null for an order from before products had SKUs. */
  sku: z.string().nullable(),
  property_values: z.array(z.object({ id, property: z.string(), value: z.string() })),
});

/** Tax of an order; null where none applied. */
const orderTax = z.object({
  name: z.string(),
  /** Whether prices contain the tax; otherwise it is added to them. */
  is_included: z.boolean(),
  is_reverse_charge: z.boolean(),
  buyer_vat_number: z.string().nullable(),
  net_usd: usd,
  total_usd: usd,
  /** Added to net prices. */
  added_usd: usd,
  added_btc: btc,
  /** Taken off gross prices by reverse charge. */
  deducted_usd: usd,
  deducted_btc: btc,
  /** Shipping included; net + tax = gross. */
  rates: z.array(
    z.object({ tax_class: z.enum(taxClasses), basis_points: z.int(), net_usd: usd, tax_usd: usd, gross_usd: usd }),
  ),
});

export const order = z.object({
  id,
  number: z.string(),
  order_items: z.array(orderItem),
  payment_status: z.enum(paymentStatuses),
  fulfilment_status: z.enum(fulfilmentStatuses),
  total_price_usd: usd,
  total_price_btc: btc,
  total_usd_after: usd,
  total_btc_after: btc,
  discount: z.number(),
  /** What the promo code takes off. */
  discount_usd: usd,
  discount_btc: btc,
  shipping_usd: usd,
  shipping_btc: btc,
  tax: orderTax.nullable(),
  /** What staff waived by accepting less than the amount due. */
  waived_usd: usd,
  waived_btc: btc,
  /** What confirmed refunds returned of the total, and the bitcoin for it. */
  refunded_usd: usd,
  refunded_btc: btc,
  /** The total without both. In bitcoin negative if refunds at a lower rate returned more than was received. */
  net_usd: usd,
  net_btc: signedBtc,
  promoCode: promoCode.nullable(),
  billing,
  created_at: instant,
  expires_at: instant,
  /**
   * The items are scarce: reserved until `expires_at`, or longer once most of the amount is seen.
   */
  is_briefly_reserved: z.boolean(),
  payment,
});
export type Order = z.input<typeof order>;
export type OrderItem = z.input<typeof orderItem>;

const byId = z.object({ id });

export const ordersApi = {
  'POST /cart/checkout': {
    summary: 'Places an order from the cart; a repeated Idempotency-Key returns the first order',
    body: billing.extend({
      /** Total that the buyer saw. If it is another one now, nothing is ordered. */
      expected_total_usd: usd.optional(),
    }),
    status: 201,
    response: z.object({ order }),
    refusals: {
      400: 'empty-cart, below-dust, country-not-in-region, not-delivered, phone, postcode, vat-number, weight-unknown',
      403: 'blocked',
      409: 'order-open, withdrawn, repriced, promo, sold-out, reserve-limit',
      422: 'idempotency-key-reused',
      503: 'no-rate',
    },
  },
  'GET /orders': {
    summary: 'Returns the open order, otherwise a recently paid or expired one',
    response: z.object({ order: order.nullable() }),
  },
  'GET /orders/billing': {
    summary: 'Returns the billing details of the newest order that still has them; null: none',
    response: z.object({ billing: billing.nullable() }),
  },
  'GET /orders/{id}': {
    summary: 'Returns an order',
    params: byId,
    response: z.object({ order }),
    refusals: { 404: 'not-found' },
  },
  'POST /orders/history': { summary: 'Lists all orders, newest first', response: z.object({ orders: z.array(order) }) },
  'PUT /orders/paid': {
    summary: 'Marks the order as user_paid by statement of the customer; never as paid',
    body: z.object({ order_id: id }),
    response: z.object({ order }),
    refusals: { 404: 'not-found' },
  },
  'GET /payments/check/{orderId}': {
    summary: 'Returns the payment of an order from the ledger, without a call to a node',
    params: z.object({ orderId: id }),
    response: z.object({ success: z.boolean(), isPaid: z.boolean(), payment }),
    refusals: { 404: 'not-found' },
  },
  'GET /payments/chain': {
    summary:
      'Returns the state of the chain source. Without it sales continue, payments are detected later and nothing expires',
    response: z.object({ state: chain }),
  },
  'GET /wallet': {
    summary: 'Returns the payment address of the open order',
    response: z.object({ wallet_address: z.string() }),
    refusals: { 404: 'not-found' },
  },
} as const satisfies Contract;
