import { z } from 'zod';
import { listedCustomer } from '#src/shop/accounts/customers/contract.ts';
import { id, instant, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { fulfilmentStatuses, paymentStatuses } from '#src/shop/orders/kinds.ts';

const count = z.int().nonnegative();

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

export const customerPageApi = {
  'GET /support/customers/{id}': {
    summary: 'Staff: an account with its orders, tickets, reviews, sessions and totals',
    params: z.object({ id }),
    response: wholeCustomer,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
