import { z } from 'zod';
import { id, instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { paymentStatuses } from '#src/shop/orders/kinds.ts';
import { queuedTicket, ticketNote } from '#src/shop/support/tickets/contract.ts';

const staffTicket = z.object({
  ticket: queuedTicket,
  /** Internal, oldest first. */
  notes: z.array(ticketNote),
  is_customer_blocked: z.boolean(),
  /** The customer's newest orders, at most 5. */
  orders: z.array(z.object({ id, number: z.string(), created_at: instant, payment_status: z.enum(paymentStatuses) })),
  /** Members of staff who can be assigned. */
  staff: z.array(z.object({ id, username: z.string() })),
});
export type StaffTicket = z.input<typeof staffTicket>;

export const staffTicketsApi = {
  'GET /support/tickets/{id}': {
    summary: 'Staff: a ticket with its customer, internal notes and the customer’s newest orders',
    params: z.object({ id }),
    response: staffTicket,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
