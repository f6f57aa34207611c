import { fulfilmentStatuses, paymentStatuses } from './kinds.ts';
import { z } from 'zod';
import { promoCode } from '#src/shop/cart/contract.ts';
import { chain, payment } from '#src/shop/payments/contract.ts';
import { btc, filledText, id, instant, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { regionNames } from '#src/shop/regions.ts';

const field = filledText(100);
const billing = z.object({
  firstName: field,
  lastName: field,
  region: z.enum(regionNames),
  country: z.string().regex(/^[A-Z]{2}$/),
  streetAddress: field,
  houseNumber: field,
  city: field,
  postcode: field,
  phone: text(40).optional(),
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
  property_values: z.array(z.object({ id, property: z.string(), value: z.string() })),
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
    summary: 'Makes the order from the cart; the header Idempotency-Key makes a repeat answer the first order',
    body: billing,
    status: 201,
    response: z.object({ order }),
    refusals: {
      400: 'empty-cart, below-dust, country-not-in-region',
      409: 'order-open, withdrawn, repriced, promo, sold-out, reserve-limit',
      422: 'idempotency-key-reused',
      503: 'no-rate',
    },
  },
  'GET /orders': {
    summary: 'The open order, or the newest that still matters',
    response: z.object({ order: order.nullable() }),
  },
  'GET /orders/billing': {
    summary: 'The billing details of the newest order, to be offered again; null before the first',
    response: z.object({ billing: billing.nullable() }),
  },
  'GET /orders/{id}': {
    summary: 'One order',
    params: byId,
    response: z.object({ order }),
    refusals: { 404: 'not-found' },
  },
  'POST /orders/history': { summary: 'All orders, newest first', response: z.object({ orders: z.array(order) }) },
  'PUT /orders/paid': {
    summary: 'The customer’s word that the payment was sent; it never makes an order paid',
    body: z.object({ order_id: id }),
    response: z.object({ order }),
    refusals: { 404: 'not-found' },
  },
  'GET /payments/check/{orderId}': {
    summary: 'What the ledger says of an order’s payment; never asks a node',
    params: z.object({ orderId: id }),
    response: z.object({ success: z.boolean(), isPaid: z.boolean(), payment }),
    refusals: { 404: 'not-found' },
  },
  'GET /payments/chain': {
    summary:
      'Whether the shop sees the chain: while it does not it sells on, notices payments later and lets nothing expire',
    response: z.object({ state: chain }),
  },
  'GET /wallet': {
    summary: 'The address of the open order',
    response: z.object({ wallet_address: z.string() }),
    refusals: { 404: 'not-found' },
  },
} as const satisfies Contract;
