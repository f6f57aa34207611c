import { z } from 'zod';
import { paymentStatuses, refundCovers, refundStates } from '../kinds.ts';
import { storedEventKinds } from '../order-events.ts';
import { payment } from '#src/shop/payments/contract.ts';
import { refundMethods } from '#src/shop/shop-settings/refund-method.ts';
import { btc, id, instant, usd } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { lateReasons } from '../status/late-reason.ts';

const orderEvent = z.object({
  kind: z.enum(storedEventKinds),
  text: z.string(),
  at: instant,
  /** Amount due and received amount at that time; null if not relevant. */
  due_btc: btc.nullable(),
  received_btc: btc.nullable(),
});

/** Preview of a requote; null if the order can't be requoted. */
const nextQuote = z
  .object({
    /** US dollars for one bitcoin. */
    rate_usd: usd,
    /** Missing amount after all received payments. */
    missing_btc: btc,
    /** Total in dollars, at the prices of now. */
    total_usd: usd,
  })
  .nullable();

/**
 * Why a confirmed late payment was not accepted automatically; null without one, or while it may
 * be.
 */
const lateBecause = z.enum(lateReasons).nullable();

/** Why an expired order can't be requoted, such as an item that is not sold any more; null if it can. */
const requoteRefusal = z.string().nullable();

const timeline = z.object({
  /** Oldest first. */
  timeline: z.array(orderEvent),
  /** Payments that were replaced or dropped. */
  left_payments: z.array(
    z.object({
      txid: z.string(),
      vout: z.int().nonnegative(),
      amount_btc: btc,
      because: z.enum(['replaced', 'dropped']),
      left_at: instant,
    }),
  ),
  /** Refunds, oldest first. */
  refunds: z.array(
    z.object({
      covers: z.enum(refundCovers),
      /** `value`: dollars at the rate of the refund. `kind`: the satoshis that were received. */
      method: z.enum(refundMethods),
      /** Dollars of a sale that it returns, with tax; null: of no sale, or everything that was received in kind. */
      value_usd: usd.nullable(),
      /** Rate of a refund by value, and when it was found. */
      rate_usd: usd.nullable(),
      rate_at: instant.nullable(),
      /** What a refund of lines covers, and what that cost; null for another refund. */
      lines: z
        .object({
          items: z.array(z.object({ name: z.string(), quantity: z.int().positive() })),
          shipping: z.boolean(),
          total_usd: usd,
        })
        .nullable(),
      amount_btc: btc,
      state: z.enum(refundStates),
      txid: z.string().nullable(),
      /** It pays the order of an exchange instead of an address. */
      is_credit: z.boolean(),
      at: instant,
    }),
  ),
  /** Dust limit of the refund address; null without an address. */
  refund_least_btc: btc.nullable(),
  /** Tracking reference of the newest parcel; null before shipping or if it has none. */
  tracking_reference: z.string().nullable(),
  /** Parcels, oldest first. */
  shipments: z.array(
    z.object({
      number: z.int().positive(),
      shipped_at: instant,
      carrier: z.string().nullable(),
      tracking_number: z.string().nullable(),
      /** Page of the carrier about the parcel, with https; null without one. */
      tracking_url: z.string().nullable(),
      items: z.array(
        z.object({
          name: z.string(),
          quantity: z.int().positive(),
          /** Serial numbers or IMEIs of its units, as far as they are known. */
          serials: z.array(z.string()),
        }),
      ),
    }),
  ),
  /** US dollars for one bitcoin, as quoted. */
  rate_usd: usd,
  /** Begin of the payment window: the order, or its newest quote. */
  window_started_at: instant,
  next_quote: nextQuote,
  requote_refusal: requoteRefusal,
  late_because: lateBecause,
  /** Path of the pay page, which needs no login. */
  pay_path: z.string(),
  /** The buyer's mail address, once the receipt of the paid order was sent to it. */
  receipt_sent_to: z.string().nullable(),
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
  /** Begin of the payment window: the order, or its newest quote. */
  window_started_at: instant,
  /** Missing amount; 0 if nothing is missing. */
  missing_btc: btc,
  next_quote: nextQuote,
  requote_refusal: requoteRefusal,
  late_because: lateBecause,
  payment,
});

export const timelineApi = {
  'GET /orders/{id}/timeline': {
    summary: 'Returns the timeline of an order, its lost payments, rate and payment link',
    params: z.object({ id }),
    response: timeline,
    refusals: { 404: 'not-found' },
  },
  'GET /pay/{token}': {
    summary: 'Returns the payment of an order by its secret link, without login or personal data',
    params: z.object({ token: z.string().regex(/^[0-9a-f]{64}$/) }),
    response: paymentRequest,
    refusals: { 404: 'not-found' },
  },
} as const satisfies Contract;
