import { z } from 'zod';
import { order } from '#src/shop/orders/contract.ts';
import { paymentStatuses, storedEventKinds } from '#src/shop/orders/kinds.ts';
import { acceptAsPaidProblems } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import { paymentStates } from '#src/shop/payments/ledger/payment-state.ts';
import { btc, id, instant, queryInteger, text, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { chain } from '#src/shop/payments/contract.ts';
import { limitationKinds } from '#src/shop/payments/chain-sync/source-limitations.ts';
import { staffTaskKinds } from './tasks/staff-task.ts';
import { paymentVerdicts } from './chain/payment-verdict.ts';

const page = queryInteger(1, 100_000).optional();
const queryUsd = z.codec(z.string().regex(/^\d{1,7}(?:\.\d{1,2})?$/), z.number().min(0).max(9_999_999.99), {
  decode: Number,
  encode: String,
});
const count = z.int().nonnegative();
const paged = { total: z.int().nonnegative(), page: z.int().positive() };
const fulfilment = order.shape.fulfilment_status;

const attention = z.object({
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
  /** Part of the total that staff waived; `due_btc` is without it. */
  waived_usd: usd,
  /** What confirmed refunds returned of the total, and the bitcoin for it. */
  refunded_usd: usd,
  refunded_btc: btc,
  /** Name and country of the delivery address. */
  recipient: z.string(),
  country: z.string(),
  /** Units are left, and can be shipped now. */
  can_ship: z.boolean(),
});
export type SupportedOrder = z.input<typeof listedOrder>;

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

const height = z.int().nonnegative();

const rescan = z.object({
  id,
  from_height: height,
  to_height: height,
  /** Height of the next block to read. */
  next_height: height,
  /** Last pruned block; null if the node had all blocks. */
  unread_until: height.nullable(),
  /** Number of payments that the ledger lacked. */
  found: count,
  state: z.enum(['open', 'done', 'stopped']),
  /** Why the rescan is paused. */
  problem: z.string().nullable(),
  by: z.string(),
  asked_at: instant,
  ended_at: instant.nullable(),
});
export type ShownRescan = z.input<typeof rescan>;

const lookedUp = z.object({
  txid: z.string(),
  /**
   * State according to the chain source. A node without txindex finds a transaction by its unspent
   * outputs only.
   */
  network: z.object({
    state: z.enum(['mempool', 'block', 'unknown', 'unreachable']),
    confirmations: count,
    height: height.nullable(),
    /** Whether all its outputs are known. */
    is_complete: z.boolean(),
  }),
  /** Its outputs in the ledger. */
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
  /**
   * Its other outputs, at most 20. One that pays an order is missing from the ledger: rescan from
   * its block.
   */
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

/** Filters of the list of orders. */
const orderFilter = {
  queue: z.enum(['to-ship']).optional(),
  /** Days of the shop's time zone on which the order was placed. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** Total in dollars, at least and at most. */
  min: queryUsd.optional(),
  max: queryUsd.optional(),
  /** Promo code, in any case. */
  promotion: text(40).optional(),
  status: z.enum(paymentStatuses).optional(),
  state: z.enum(paymentStates).optional(),
  fulfilment: fulfilment.optional(),
};

export const adminApi = {
  'GET /support/chain': {
    summary: 'Staff: status of the chain sync, limits of the node’s settings, and the newest rescans',
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
    summary: 'Staff: orders and refunds of a transaction, whether it counts, and its state on the network',
    params: z.object({ txid: z.string().regex(/^[0-9a-fA-F]{64}$/) }),
    response: lookedUp,
    refusals: { 403: 'forbidden' },
  },
  'POST /payments/rescans': {
    summary:
      'Staff: rescans the blocks from a height to the tip for missing payments. Repeated while it runs, it returns the same rescan',
    body: z.object({ from_height: z.int().min(0).max(2_147_483_647) }),
    response: z.object({ rescan }),
    refusals: { 403: 'forbidden', 409: 'above-tip, too-long, rescan-open' },
  },
  'POST /payments/rescans/{id}/stop': {
    summary: 'Staff: stops a rescan. Payments that it found stay. Idempotent',
    params: z.object({ id }),
    response: z.object({ rescan }),
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
  'GET /support/reservations': {
    summary: 'Staff: orders with reserved stock, newest first, 25 a page',
    query: z.object({ page }),
    response: z.object({ reservations: z.array(reservation), ...paged }),
    refusals: { 403: 'forbidden' },
  },
  'GET /payments/attention': {
    summary: 'Staff: orders with a payment task, with its kind and start; newest first, 25 a page',
    query: z.object({ page }),
    response: z.object({
      orders: z.array(waitingOrder),
      ...paged,
      /** Sum of dust payments; no action needed. */
      dust: z.object({ outputs: count, orders: count, amount_btc: btc }),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /support/orders': {
    summary:
      'Staff: all orders, newest first, 25 a page; the queue to ship starts with the longest paid. q is a number, transaction, payment or refund address, part of a buyer’s name or mail address, or words of the delivery address',
    query: z.object({ ...orderFilter, q: text(200).optional(), page }),
    response: z.object({
      orders: z.array(listedOrder),
      /** IANA name. */
      time_zone: z.string(),
      ...paged,
      /** Whether more orders match the filters than the 10,000 that are counted and listed. */
      has_more: z.boolean(),
    }),
    refusals: { 403: 'forbidden' },
  },
  'GET /exports/orders': {
    summary: 'Staff: orders with their recipients as CSV, oldest first, by the filters of the list',
    query: z.object(orderFilter),
    response: z.string(),
    responseType: 'csv',
    refusals: { 401: 'reauth', 403: 'forbidden' },
  },
  'GET /support/orders/{id}': {
    summary: 'Staff: an order with its buyer, ledger and timeline',
    params: z.object({ id }),
    response: wholeOrder,
    refusals: { 403: 'forbidden', 404: 'not-found' },
  },
} as const satisfies Contract;
