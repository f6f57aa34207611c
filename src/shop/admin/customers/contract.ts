import { z } from 'zod';
import { id, instant, queryInteger, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { ROLES } from '#src/shop/permissions.ts';
import { fulfilmentStatuses, paymentStatuses } from '#src/shop/orders/kinds.ts';

const count = z.int().nonnegative();

const listedCustomer = z.object({
  id,
  username: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  created_at: instant,
  blocked_at: instant.nullable(),
  orders: count,
});
export type ListedCustomer = z.input<typeof listedCustomer>;

const customer = z.object({
  ...listedCustomer.shape,
  is_email_confirmed: z.boolean(),
  paid_orders: count,
  /** Sum of the paid orders, after discounts. */
  paid_usd: usd,
  open_tickets: count,
});

/** Lists hold the newest 50. */
const wholeCustomer = z.object({
  customer,
  orders: z.array(
    z.object({
      id,
      number: z.string(),
      created_at: instant,
      payment_status: z.enum(paymentStatuses),
      fulfilment_status: z.enum(fulfilmentStatuses),
      total_usd: usd,
      /** What staff waived of it, and what confirmed refunds returned. */
      waived_usd: usd,
      refunded_usd: usd,
    }),
  ),
  tickets: z.array(
    z.object({
      id,
      number: count,
      title: z.string(),
      status: z.enum(['open', 'in_progress', 'closed']),
      created_at: instant,
    }),
  ),
  reviews: z.array(
    z.object({
      id,
      product: z.string().nullable(),
      rating: z.int(),
      text: z.string(),
      state: z.enum(['waiting', 'approved', 'rejected']),
      created_at: instant,
    }),
  ),
  sessions: z.array(z.object({ id, device: z.string(), created_at: instant, last_seen_at: instant })),
});
export type WholeCustomer = z.input<typeof wholeCustomer>;

const byId = z.object({ id });
const refusals = { 403: 'forbidden', 404: 'not-found' } as const;
const success = z.object({ message: z.literal('success') });

export const customersApi = {
  'GET /support/customers': {
    summary: 'Staff: accounts, 25 a page. q is an order number or part of a name or address',
    query: z.object({
      q: text(200).optional(),
      show: z.enum(['blocked', 'with-orders']).optional(),
      sort: z.enum(['newest', 'oldest', 'name']).optional(),
      page: queryInteger(1, 100_000).optional(),
    }),
    response: z.object({
      customers: z.array(listedCustomer),
      total: count,
      /** Whether more accounts match the filters than the 10,000 that are counted and listed. */
      has_more: z.boolean(),
      page: z.int().positive(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/customers/{id}': {
    summary: 'Staff: an account with its orders, tickets, reviews, sessions and totals',
    params: byId,
    response: wholeCustomer,
    refusals,
  },
  'POST /support/customers/{id}/block': {
    summary: 'Staff: blocks a customer: no login, no order, sessions end at once. Open orders stay. Idempotent',
    params: byId,
    response: success,
    refusals: { ...refusals, 409: 'staff' },
  },
  'POST /support/customers/{id}/unblock': {
    summary: 'Staff: ends a block. Idempotent',
    params: byId,
    response: success,
    refusals,
  },
  'POST /support/customers/{id}/end-sessions': {
    summary: 'Staff: ends all sessions of a customer. Idempotent',
    params: byId,
    response: success,
    refusals: { ...refusals, 409: 'staff' },
  },
} as const satisfies Contract;
