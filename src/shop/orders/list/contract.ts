import { z } from 'zod';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import { btc, id, instant, queryInteger, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { orderSorts } from './order-sort.ts';
import { order } from '../contract.ts';
import { paymentStatuses } from '../kinds.ts';

const page = queryInteger(1, 100_000).optional();
const queryUsd = z.codec(z.string().regex(/^\d{1,7}(?:\.\d{1,2})?$/), z.number().min(0).max(9_999_999.99), {
  decode: Number,
  encode: String,
});
const fulfilment = order.shape.fulfilment_status;

const listedOrder = z.object({
  id,
  number: z.string(),
  username: z.string(),
  created_at: instant,
  payment_status: z.enum(paymentStatuses),
  state: z.enum(paymentStates),
  fulfilment_status: fulfilment,
  total_usd: usd,
  due_btc: btc,
  received_btc: btc,
  /** Part of the total that staff waived; `due_btc` is without it. */
  waived_usd: usd,
  /** What confirmed refunds returned of the total, and the bitcoin for it. */
  refunded_usd: usd,
  refunded_btc: btc,
  /** Name and country of the delivery address. */
  recipient: z.string(),
  country: z.string(),
  /** Units are left, and can be shipped now. */
  can_ship: z.boolean(),
});
export type SupportedOrder = z.input<typeof listedOrder>;

const recentOrder = listedOrder.pick({
  id: true,
  number: true,
  created_at: true,
  payment_status: true,
  state: true,
  fulfilment_status: true,
  total_usd: true,
  waived_usd: true,
  due_btc: true,
  can_ship: true,
});
export type RecentOrder = z.input<typeof recentOrder>;

/** Filters of the list of orders. */
const orderFilter = {
  queue: z.enum(['to-ship']).optional(),
  /** Days of the shop's time zone on which the order was placed. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** Total in dollars, at least and at most. */
  min: queryUsd.optional(),
  max: queryUsd.optional(),
  /** Promo code, in any case. */
  promotion: text(40).optional(),
  status: z.enum(paymentStatuses).optional(),
  state: z.enum(paymentStates).optional(),
  fulfilment: fulfilment.optional(),
};

export const orderListApi = {
  'GET /support/orders': {
    summary:
      'Staff: all orders, 25 a page, newest first or by sort; the queue to ship starts with the longest paid. q is a number, transaction, payment or refund address, part of a buyer’s name or mail address, a serial number or IMEI or its first 5 or more characters, or words of the delivery address',
    query: z.object({
      ...orderFilter,
      q: text(200).optional(),
      /** By time or total. Default: newest; the queue to ship by the time of payment, longest first. */
      sort: z.enum(orderSorts).optional(),
      page,
    }),
    response: z.object({
      orders: z.array(listedOrder),
      /** IANA name. */
      time_zone: z.string(),
      total: z.int().nonnegative(),
      page: z.int().positive(),
      /** Whether more orders match the filters than the 10,000 that are counted and listed. */
      has_more: z.boolean(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/recent-orders': {
    summary: 'Staff: the newest orders, at most 6, without what belongs to their buyers',
    response: z.object({ orders: z.array(recentOrder) }),
    refusals: { 403: 'forbidden' },
  },
  'GET /exports/orders': {
    summary: 'Staff: orders with their recipients as CSV, oldest first, by the filters of the list',
    query: z.object(orderFilter),
    response: z.string(),
    responseType: 'csv',
    refusals: { 401: 'reauth', 403: 'forbidden' },
  },
} as const satisfies Contract;
