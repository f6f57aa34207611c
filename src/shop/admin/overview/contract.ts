import { z } from 'zod';
import { instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const count = z.int().nonnegative();

const todo = z.object({
  /** Paid orders that are not shipped. */
  to_ship: count,
  /** Returns to decide, receive, inspect or refund, and those whose refund is due soon. */
  returns: count,
  /** Statements of withdrawal that name no order and that nobody has answered. */
  withdrawals: count,
  /** Orders whose payment needs a decision by staff. */
  payments: count,
  /** Those of them where a wrong step loses money or goods. */
  urgent_payments: count,
  /** Refunds that were made and not seen on the network. */
  refunds_to_sign: count,
  /** Orders whose invoice or credit note could not be issued. The shop tries again. */
  failed_invoices: count,
  /** Orders whose invoice waits for a rate of the national currency. */
  waiting_invoices: count,
  /** Failed attempts in a row to fetch the rates of the European Central Bank, while the setting asks for them. */
  failed_rate_fetches: count,
  /** Open tickets whose newest message is the customer's. */
  tickets: count,
  reviews: count,
  /** Contact messages that nobody has answered or closed, without suspected spam. */
  new_messages: count,
  low_stock: count,
  backup: z.object({
    /** When the newest recorded backup was written; null if none is recorded. */
    at: instant.nullable(),
    /** Too old, or none. Never for a demo shop. */
    is_due: z.boolean(),
  }),
});
export type Todo = z.input<typeof todo>;

export const overviewApi = {
  'GET /support/todo': {
    summary: 'Staff: how many orders, payments, tickets, reviews and items need them now, and the last backup',
    response: todo,
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
