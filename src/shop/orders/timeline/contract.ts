import { z } from 'zod';
import { paymentStatuses, refundCovers, refundStates, storedEventKinds } from '../kinds.ts';
import { payment } from '#src/shop/payments/contract.ts';
import { btc, id, instant, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';

const orderEvent = z.object({
  kind: z.enum(storedEventKinds),
  text: z.string(),
  at: instant,
  /** What was due, and what had arrived, by then; null where that has no part in it. */
  due_btc: btc.nullable(),
  received_btc: btc.nullable(),
});

/** What an expired order would be quoted at now; null for one that can't be quoted again. */
const nextQuote = z
  .object({
    /** US dollars for one bitcoin. */
    rate_usd: usd,
    /** What would still be to be sent: all that has come counts. */
    missing_btc: btc,
  })
  .nullable();

/** Why a late payment that is confirmed was not accepted by itself; null where there is none, or it may still be. */
const lateBecause = z.enum(['rate', 'no-rate', 'sold-out', 'promo']).nullable();

const timeline = z.object({
  /** Oldest first. */
  timeline: z.array(orderEvent),
  /** Payments that were seen and are neither in the mempool nor in the best chain. */
  left_payments: z.array(
    z.object({
      txid: z.string(),
      vout: z.int().nonnegative(),
      amount_btc: btc,
      because: z.enum(['replaced', 'dropped']),
      left_at: instant,
    }),
  ),
  /** What goes back to the buyer, or has; oldest first. */
  refunds: z.array(
    z.object({
      covers: z.enum(refundCovers),
      amount_btc: btc,
      state: z.enum(refundStates),
      txid: z.string().nullable(),
      at: instant,
    }),
  ),
  /** The least that the network carries to the address for refunds; null while none is named. */
  refund_least_btc: btc.nullable(),
  /** What the courier calls the parcel; null before the order is shipped, or when nothing was named. */
  tracking_reference: z.string().nullable(),
  /** US dollars for one bitcoin, as quoted. */
  rate_usd: usd,
  next_quote: nextQuote,
  late_because: lateBecause,
  /** Below the shop's address: shows what is to be paid to whoever has it. */
  pay_path: z.string(),
});

export type Timeline = z.input<typeof timeline>;

const paymentRequest = z.object({
  number: z.string(),
  payment_status: z.enum(paymentStatuses),
  expires_at: instant,
  /** After the discount. */
  total_usd: usd,
  /** US dollars for one bitcoin, as quoted. */
  rate_usd: usd,
  /** What is still to be sent; 0 when nothing is. */
  missing_btc: btc,
  next_quote: nextQuote,
  late_because: lateBecause,
  payment,
});

export const timelineApi = {
  'GET /orders/{id}/timeline': {
    summary: 'What happened to an order, the payments that left it, its rate, and the link to its payment',
    params: z.object({ id }),
    response: timeline,
    refusals: { 404: 'not-found' },
  },
  'GET /pay/{token}': {
    summary: 'What is to be paid for the order of an unguessable link; no login, nobody’s name',
    params: z.object({ token: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: paymentRequest,
    refusals: { 404: 'not-found' },
  },
} as const satisfies Contract;
