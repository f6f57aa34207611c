import { z } from 'zod';
import { btc, id, instant, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { order } from '#src/shop/orders/contract.ts';
import { storedEventKinds } from '#src/shop/orders/order-events.ts';
import { acceptAsPaidProblems } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import { ticketStatuses } from '#src/shop/support/tickets/contract.ts';
import { attention } from '../tasks/contract.ts';

const orderEvent = z.object({
  kind: z.enum(storedEventKinds),
  text: z.string(),
  at: instant,
  due_btc: btc.nullable(),
  received_btc: btc.nullable(),
  /** Note of the event: a reason, an address, or an unavailable item. */
  note: z.string().nullable(),
  /** Username of the staff member who did it. */
  by: z.string().nullable(),
});

const output = z.object({
  txid: z.string(),
  vout: z.int().nonnegative(),
  amount_btc: btc,
  is_coinbase: z.boolean(),
  /** The credit of an exchange: it is in no transaction. */
  is_credit: z.boolean(),
  /** In the mempool or in the best chain. */
  is_live: z.boolean(),
  height: z.int().nullable(),
  confirmations: z.int().nonnegative(),
  first_seen: instant,
  left_because: z.enum(['replaced', 'dropped']).nullable(),
  left_at: instant.nullable(),
  /** Block of the conflict; null if there is none. */
  conflict_height: z.int().nonnegative().nullable(),
  /** The conflict has the required confirmations. */
  is_lost_for_good: z.boolean(),
});

const neighbour = z.object({ id, number: z.string() });

const wholeOrder = z.object({
  order,
  /** The address is empty for an erased account, and for one of the team. */
  buyer: z.object({ id, username: z.string(), email: z.string() }),
  /** Null if no staff task is open. */
  attention: attention.nullable(),
  /** Amount due of the last quote, also after it was accepted as paid. */
  due_btc: btc,
  missing_btc: btc,
  /** With the required confirmations. */
  deep_btc: btc,
  surplus_btc: btc,
  /** Confirmed refunds of a surplus. */
  returned_btc: btc,
  /** The same dollars at the present rate; null without a rate. */
  present_btc: btc.nullable(),
  /** What staff can accept as full payment now, or why they can't. */
  settling: z.object({ amount_btc: btc.nullable(), refusal: z.enum(acceptAsPaidProblems).nullable() }),
  /**
   * Whether the order can be cancelled as unpayable: its payment was lost in a reorganization, or
   * it received only dust.
   */
  can_be_given_up: z.boolean(),
  /** Whether it can be closed as a loss: shipped and unpaid, or refunded without cover. */
  can_be_closed_as_loss: z.boolean(),
  /** The loss of the order, open or closed; 0 otherwise. */
  lost_btc: btc,
  /** What staff accepted as full payment; null if they did not. */
  settled_btc: btc.nullable(),
  rate_usd: usd,
  tracking_reference: z.string().nullable(),
  /** Username of the member of staff who created the order; null if the buyer placed it. */
  created_by: z.string().nullable(),
  /** Path of the payment page, which needs no login. */
  pay_path: z.string(),
  /** Whether the buyer could request a new price now, and cancel the order. */
  can_be_renewed: z.boolean(),
  can_be_cancelled: z.boolean(),
  address: z.object({
    address: z.string(),
    derivation_index: z.int().nonnegative(),
    /** From the master key; null for an address of an earlier key. */
    path: z.string().nullable(),
  }),
  /** All outputs that ever paid the address, oldest first. Only the first ten dust outputs. */
  outputs: z.array(output),
  /** Number of other dust outputs, and the sum of the live ones. */
  more_dust: z.object({ outputs: z.int().nonnegative(), amount_btc: btc }),
  /** Oldest first. */
  timeline: z.array(orderEvent),
  /** Newest tickets of the buyer, at most 5; none for roles without support. */
  tickets: z.array(
    z.object({ id, number: z.int(), title: z.string(), status: z.enum(ticketStatuses), created_at: instant }),
  ),
  /** The orders with the next higher and the next lower number; null if there is none. */
  newer: neighbour.nullable(),
  older: neighbour.nullable(),
});
export type WholeOrder = z.input<typeof wholeOrder>;

export const staffOrderApi = {
  'GET /support/orders/{id}': {
    summary: 'Staff: an order with its buyer, ledger, timeline and tickets, and its neighbours by number',
    params: z.object({ id }),
    response: wholeOrder,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
