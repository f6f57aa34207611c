import { z } from 'zod';
import { order } from '#src/shop/orders/contract.ts';
import { paymentStatuses, storedEventKinds } from '#src/shop/orders/kinds.ts';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import { btc, id, instant, queryInteger, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { chain } from '#src/shop/payments/contract.ts';
import { limitationKinds } from '#src/shop/payments/chain-sync/source-limitations.ts';
import { staffTaskKinds } from './tasks/staff-task.ts';
import { paymentVerdicts } from './chain/payment-verdict.ts';

const page = queryInteger(1, 100_000).optional();
const count = z.int().nonnegative();
const paged = { total: z.int().nonnegative(), page: z.int().positive() };
const fulfilment = order.shape.fulfilment_status;

const attention = z.object({
  kind: z.enum(staffTaskKinds),
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
  /** There is an address that money can be sent back to. */
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

const orderEvent = z.object({
  kind: z.enum(storedEventKinds),
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
  /** A reorganisation took its payment back for good, or it received only dust: it can be cancelled. */
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
  /** All that ever paid the address, oldest first; of outputs too small to be sent anywhere only the first ten. */
  outputs: z.array(output),
  /** The others of these: how many, and what those in the mempool or the best chain come to. */
  more_dust: z.object({ outputs: count, amount_btc: btc }),
  /** Oldest first. */
  timeline: z.array(orderEvent),
});
export type WholeOrder = z.input<typeof wholeOrder>;

const reservation = z.object({
  order_id: id,
  number: z.string(),
  user_id: id,
  username: z.string(),
  is_email_confirmed: z.boolean(),
  /** Where the order came from: an IPv4 address or an IPv6 /64; null when limits were off. */
  network: z.string().nullable(),
  reserved_at: instant,
  /** When it ends unless a payment is seen. */
  expires_at: instant,
  /** Its items are scarce, so it ends earlier than others. */
  is_brief: z.boolean(),
  /** Most of the amount was seen: it lasts as long as the order is open. */
  is_secured: z.boolean(),
  /** Nothing was paid, so staff can release it. */
  can_be_released: z.boolean(),
  /** What is reserved, and how many are left to order; null where the stock is no longer limited. */
  items: z.array(z.object({ name: z.string(), quantity: z.int(), available: z.int().nullable() })),
});
export type Reservation = z.input<typeof reservation>;

const height = z.int().nonnegative();

const rescan = z.object({
  id,
  from_height: height,
  to_height: height,
  /** Everything below was read, or can't be. */
  next_height: height,
  /** The node no longer had the blocks up to this one; null when it had all. */
  unread_until: height.nullable(),
  /** Payments that the ledger lacked. */
  found: count,
  state: z.enum(['open', 'done', 'stopped']),
  /** Why it does not go on at the moment. */
  problem: z.string().nullable(),
  by: z.string(),
  asked_at: instant,
  ended_at: instant.nullable(),
});
export type ShownRescan = z.input<typeof rescan>;

const lookedUp = z.object({
  txid: z.string(),
  /** As the chain source knows it now. Without an index of transactions a node finds it by unspent outputs only. */
  network: z.object({
    state: z.enum(['mempool', 'block', 'unknown', 'unreachable']),
    confirmations: count,
    height: height.nullable(),
    /** All its outputs are known. */
    is_complete: z.boolean(),
  }),
  /** What the ledger holds of it. */
  payments: z.array(
    z.object({
      order_id: id,
      number: z.string(),
      username: z.string(),
      payment_status: z.enum(paymentStatuses),
      vout: count,
      amount_btc: btc,
      /** Whether it counts, or why not. */
      verdict: z.enum(paymentVerdicts),
      confirmations: count,
      required_confirmations: count,
      height: height.nullable(),
      first_seen: instant,
      left_at: instant.nullable(),
    }),
  ),
  /** Refunds that it pays, or was planned to pay. */
  refunds: z.array(
    z.object({
      order_id: id,
      number: z.string(),
      amount_btc: btc,
      state: z.enum(['made', 'sent', 'confirmed', 'withdrawn']),
    }),
  ),
  /** Its other outputs, at most 20; one to an order's address is missing from the ledger: rescan from its block. */
  others: z.array(
    z.object({
      vout: count,
      amount_btc: btc,
      address: z.string().nullable(),
      order: z.object({ id, number: z.string() }).nullable(),
    }),
  ),
  others_total: count,
});
export type LookedUpTransaction = z.input<typeof lookedUp>;

export const adminApi = {
  'GET /support/chain': {
    summary:
      'Staff: where the chain watcher stands, what in the node’s settings hides payments, and the newest rescans',
    response: z.object({
      chain,
      tip_height: height.nullable(),
      tip_at: instant.nullable(),
      reconciled_at: instant.nullable(),
      limitations: z.array(z.enum(limitationKinds)),
      rescans: z.array(rescan),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /payments/transactions/{txid}': {
    summary:
      'Staff: which orders and refunds a transaction belongs to, whether it counts, and what the node says of it',
    params: z.object({ txid: z.string().regex(/^[0-9a-fA-F]{64}$/) }),
    response: lookedUp,
    refusals: { 403: 'forbidden' },
  },
  'POST /payments/rescans': {
    summary:
      'Staff: reads the blocks from a height up to the newest one again, for payments that the ledger lacks. Asked again while it runs, it is answered with itself',
    body: z.object({ from_height: z.int().min(0).max(2_147_483_647) }),
    response: z.object({ rescan }),
    refusals: { 403: 'forbidden', 409: 'above-tip, too-long, rescan-open' },
  },
  'POST /payments/rescans/{id}/stop': {
    summary: 'Staff: ends a rescan; what it has found stays. Ended already is done',
    params: z.object({ id }),
    response: z.object({ rescan }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/reservations': {
    summary:
      'Staff: orders that reserve stock until they are paid, whose they are and until when; the newest first, 25 a page',
    query: z.object({ page }),
    response: z.object({ reservations: z.array(reservation), ...paged }),
    refusals: { 403: 'forbidden' },
  },
  'GET /payments/attention': {
    summary: 'Staff: orders whose payment needs a decision or a deed, why, and since when; the newest first, 25 a page',
    query: z.object({ page }),
    response: z.object({
      orders: z.array(waitingOrder),
      ...paged,
      /** What came in outputs too small to be sent anywhere; it asks nothing of anybody. */
      dust: z.object({ outputs: count, orders: count, amount_btc: btc }),
    }),
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
