import { z } from 'zod';
import { btc, id, instant, queryInteger, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { paymentStatuses } from '#src/shop/orders/kinds.ts';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import { staffTaskKinds } from './staff-task.ts';

const count = z.int().nonnegative();

export const attention = z.object({
  kind: z.enum(staffTaskKinds),
  since: instant,
  /** It resolves automatically; nobody has to act. */
  is_information: z.boolean(),
});

const waitingOrder = attention.extend({
  order_id: id,
  number: z.string(),
  username: z.string(),
  payment_status: z.enum(paymentStatuses),
  state: z.enum(paymentStates),
  total_usd: usd,
  due_btc: btc,
  received_btc: btc,
  /** Final surplus that was not refunded. */
  surplus_btc: btc,
  /** The same dollars at the present rate; null without a rate. */
  present_btc: btc.nullable(),
  /** A refund address can be used. */
  has_refund_address: z.boolean(),
});
export type WaitingOrder = z.input<typeof waitingOrder>;

export const staffTasksApi = {
  'GET /payments/attention': {
    summary: 'Staff: orders with a payment task, with its kind and start; newest first, 25 a page',
    query: z.object({ page: queryInteger(1, 100_000).optional() }),
    response: z.object({
      orders: z.array(waitingOrder),
      total: count,
      page: z.int().positive(),
      /** Sum of dust payments; no action needed. */
      dust: z.object({ outputs: count, orders: count, amount_btc: btc }),
    }),
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
