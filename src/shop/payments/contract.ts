import { z } from 'zod';
import { btc, instant } from '../wire.ts';
import { paymentStates } from './payment-state.ts';

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
  /**
   * What the order has lost: its payment (double_spent) or a part of it, for good; a refund that nothing covers, not sent
   * (refund_stopped), sent (refund_uncovered), or for good (refund_lost); closed: staff have written it off. Null: nothing.
   */
  loss: z
    .enum(['double_spent', 'part_double_spent', 'refund_stopped', 'refund_uncovered', 'refund_lost', 'closed'])
    .nullable(),
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
    }),
  ),
});
export type Payment = z.input<typeof payment>;
