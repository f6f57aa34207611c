import { z } from 'zod';
import { order, paymentStatuses } from '../orders/contract.ts';
import { paymentStates } from '../payments/payment-state.ts';
import { btc, id, instant, queryInteger, text, usd } from '../wire.ts';
import type { Contract } from '../wire.ts';
import { attentionKinds } from './attention-of.ts';

const page = queryInteger(1, 100_000).optional();
const paged = { total: z.int().nonnegative(), page: z.int().positive() };
const fulfilment = order.shape.fulfilment_status;

const attention = z.object({
  kind: z.enum(attentionKinds),
  since: instant,
  /** It settles itself; nothing is asked of anybody. */
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
  /** Deep enough beyond what is due, and not sent back. */
  surplus_btc: btc,
  /** What the present rate asks for the same dollars; null without a rate. */
  present_btc: btc.nullable(),
  /** The buyer has confirmed where money can go back to. */
  has_refund_address: z.boolean(),
});
export type WaitingOrder = z.input<typeof waitingOrder>;

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
});
export type SupportedOrder = z.input<typeof listedOrder>;

const turn = z.object({
  kind: z.string(),
  text: z.string(),
  at: instant,
  due_btc: btc.nullable(),
  received_btc: btc.nullable(),
  /** What was noted with it: a reason, an address, what is gone. */
  note: z.string().nullable(),
  /** Who of staff did it. */
  by: z.string().nullable(),
});

const output = z.object({
  txid: z.string(),
  vout: z.int().nonnegative(),
  amount_btc: btc,
  is_coinbase: z.boolean(),
  /** In the mempool or in the best chain. */
  is_live: z.boolean(),
  height: z.int().nullable(),
  confirmations: z.int().nonnegative(),
  first_seen: instant,
  left_because: z.enum(['replaced', 'dropped']).nullable(),
  left_at: instant.nullable(),
  /** Of the block with a transaction that spent the same coins; null while there is none. */
  conflict_height: z.int().nonnegative().nullable(),
  /** That transaction has the confirmations that the order requires. */
  is_lost_for_good: z.boolean(),
});

const wholeOrder = z.object({
  order,
  buyer: z.object({ id, username: z.string(), email: z.string() }),
  /** Null while nobody is needed. */
  attention: attention.nullable(),
  /** As the buyer was asked for at last, whatever staff took for it. */
  due_btc: btc,
  missing_btc: btc,
  /** With as many confirmations as the order asks for. */
  deep_btc: btc,
  surplus_btc: btc,
  /** What confirmed refunds of a surplus have taken. */
  returned_btc: btc,
  /** What the present rate asks for the same dollars; null without a rate. */
  present_btc: btc.nullable(),
  /** What staff would take for the whole now, or why they can't. */
  settling: z.object({ amount_btc: btc.nullable(), refusal: z.string().nullable() }),
  /** A reorganisation took its payment back for good: it can be cancelled. */
  can_be_given_up: z.boolean(),
  /** It was sent and is not paid, or was refunded without cover: it can be closed as a loss. */
  can_be_closed_as_loss: z.boolean(),
  /** What the shop is short of while a loss is reported, or after one was closed; 0 otherwise. */
  lost_btc: btc,
  /** What staff took for the whole; null while they did not. */
  settled_btc: btc.nullable(),
  rate_usd: usd,
  tracking_reference: z.string().nullable(),
  address: z.object({
    address: z.string(),
    derivation_index: z.int().nonnegative(),
    /** From the master key; null for an address of a key that was in use before. */
    path: z.string().nullable(),
  }),
  /** All that ever paid the address, oldest first. */
  outputs: z.array(output),
  /** Oldest first. */
  timeline: z.array(turn),
});
export type WholeOrder = z.input<typeof wholeOrder>;

export const backofficeApi = {
  'GET /payments/attention': {
    summary: 'Staff: orders whose payment needs a decision or a deed, why, and since when; the newest first, 25 a page',
    query: z.object({ page }),
    response: z.object({ orders: z.array(waitingOrder), ...paged }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/orders': {
    summary:
      'Staff: all orders, the newest first, 25 a page; q is a number, a transaction, an address or a part of a name',
    query: z.object({
      status: z.enum(paymentStatuses).optional(),
      state: z.enum(paymentStates).optional(),
      fulfilment: fulfilment.optional(),
      q: text(200).optional(),
      page,
    }),
    response: z.object({ orders: z.array(listedOrder), ...paged }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/orders/{id}': {
    summary: 'Staff: an order with its buyer, its ledger, what left it, and what was noted in its timeline',
    params: z.object({ id }),
    response: wholeOrder,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
