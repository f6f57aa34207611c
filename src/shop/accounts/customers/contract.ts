import { z } from 'zod';
import { id, instant, queryInteger, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { ROLES } from '#src/shop/permissions.ts';

const count = z.int().nonnegative();

export const listedCustomer = z.object({
  id,
  username: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  created_at: instant,
  blocked_at: instant.nullable(),
  orders: count,
});
export type ListedCustomer = z.input<typeof listedCustomer>;

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
