import { z } from 'zod';
import { id, instant, queryInteger } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const reservation = z.object({
  order_id: id,
  number: z.string(),
  user_id: id,
  username: z.string(),
  is_email_confirmed: z.boolean(),
  /** IPv4 address or IPv6 /64 of the order; null if rate limits were off, or if staff created it. */
  network: z.string().nullable(),
  /** Counts against the limits of the member of staff who created the order. */
  is_of_staff: z.boolean(),
  reserved_at: instant,
  /** When it ends unless a payment is seen. */
  expires_at: instant,
  /** Scarce items: the reservation is shorter. */
  is_brief: z.boolean(),
  /** Most of the amount was seen: the reservation lasts while the order is open. */
  is_secured: z.boolean(),
  /** Staff can release it, since nothing was paid. */
  can_be_released: z.boolean(),
  /** Reserved items with the stock left to order; null if their stock is no longer limited. */
  items: z.array(z.object({ name: z.string(), quantity: z.int(), available: z.int().nullable() })),
});
export type Reservation = z.input<typeof reservation>;

export const reservationsApi = {
  'GET /support/reservations': {
    summary: 'Staff: orders with reserved stock, newest first, 25 a page',
    query: z.object({ page: queryInteger(1, 100_000).optional() }),
    response: z.object({
      reservations: z.array(reservation),
      total: z.int().nonnegative(),
      page: z.int().positive(),
    }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
