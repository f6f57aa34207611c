import { z } from 'zod';
import { btc, instant } from '#src/shop/codecs.ts';
import { paymentStates } from './ledger/payment-state.ts';

/** Whether the shop sees the chain at the moment: while it does not, nothing expires and what arrives is noticed later. */
export const chain = z.enum(['up', 'down']);

/** What the chain says about an order's payment; part of every order. */
export const payment = z.object({
  address: z.string(),
  amount_btc: btc,
  received_btc: btc,
  confirmed_btc: btc,
  /** What went back of a surplus. */
  returned_btc: btc,
  confirmations: z.int().nonnegative(),
  required_confirmations: z.int().nonnegative(),
  state: z.enum(paymentStates),
  /** What is due was first seen within the window; late all the same, it was not confirmed in time. */
  seen_in_time: z.boolean(),
  /** By how much what has come is short of what was due, and is accepted. */
  short_btc: btc,
  /** Satoshi a virtual byte for a confirmation within a day; null while that is not known, or there is no fee to compare. */
  day_fee_rate: z.number().nonnegative().nullable(),
  /**
   * What the order has lost: its payment (double_spent) or a part of it, for good; a refund that nothing covers, not sent
   * (refund_stopped), sent (refund_uncovered), or for good (refund_lost); closed: staff have written it off. Null: nothing.
   */
  loss: z
    .enum(['double_spent', 'part_double_spent', 'refund_stopped', 'refund_uncovered', 'refund_lost', 'closed'])
    .nullable(),
  /** Asks for what is missing; null where nothing is to be sent. */
  bip21: z.string().nullable(),
  chain,
  transactions: z.array(
    z.object({
      txid: z.string(),
      vout: z.int().nonnegative(),
      amount_btc: btc,
      confirmations: z.int().nonnegative(),
      /** Blocks until a miner's reward counts, which can't be spent before; 0 for any other payment. */
      immature_blocks: z.int().nonnegative(),
      first_seen: instant,
      /** Satoshi a virtual byte, of an unconfirmed one; null while that is not known. */
      fee_rate: z.number().nonnegative().nullable(),
      /** It pays less than `day_fee_rate`. */
      is_fee_low: z.boolean(),
    }),
  ),
});
export type Payment = z.input<typeof payment>;
