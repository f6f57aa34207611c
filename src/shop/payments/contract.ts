import { z } from 'zod';
import { btc, instant } from '#src/shop/codecs.ts';
import { chain } from './chain-sync/contract.ts';
import { paymentStates } from './ledger/payment-state.ts';

/** Payment of an order, derived from the ledger; part of every order. */
export const payment = z.object({
  address: z.string(),
  amount_btc: btc,
  received_btc: btc,
  confirmed_btc: btc,
  /** Refunded or written-off part of the surplus. */
  returned_btc: btc,
  confirmations: z.int().nonnegative(),
  required_confirmations: z.int().nonnegative(),
  state: z.enum(paymentStates),
  /**
   * The amount due was first seen within the window; the state may still be late if it was not
   * confirmed in time.
   */
  seen_in_time: z.boolean(),
  /** How far the received amount is below the amount due, within the tolerance. */
  short_btc: btc,
  /**
   * Satoshis per virtual byte for confirmation within a day; null if unknown or if there
   * is no fee to compare.
   */
  day_fee_rate: z.number().nonnegative().nullable(),
  /**
   * Loss of the order: its payment (double_spent), a part of it (part_double_spent), or a refund
   * without cover that was not sent (refund_stopped), was sent (refund_uncovered), or is lost for
   * good (refund_lost). closed: written off by staff. Null: none.
   */
  loss: z
    .enum(['double_spent', 'part_double_spent', 'refund_stopped', 'refund_uncovered', 'refund_lost', 'closed'])
    .nullable(),
  /** Payment URI for the missing amount; null if nothing is payable. */
  bip21: z.string().nullable(),
  chain,
  transactions: z.array(
    z.object({
      txid: z.string(),
      vout: z.int().nonnegative(),
      amount_btc: btc,
      confirmations: z.int().nonnegative(),
      /** Blocks until a mining reward is mature and counts; 0 for other payments. */
      immature_blocks: z.int().nonnegative(),
      first_seen: instant,
      /** Satoshis per virtual byte of an unconfirmed payment; null if unknown. */
      fee_rate: z.number().nonnegative().nullable(),
      /** Pays less than `day_fee_rate`. */
      is_fee_low: z.boolean(),
      /** The credit of returned items: it is in no transaction. */
      is_credit: z.boolean(),
    }),
  ),
});
export type Payment = z.input<typeof payment>;
