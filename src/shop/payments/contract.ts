import { z } from 'zod';
import { btc, instant } from '../wire.ts';
import { paymentStates } from './payment-state.ts';

/** What the chain says about an order's payment; part of every order. */
export const payment = z.object({
  address: z.string(),
  amount_btc: btc,
  received_btc: btc,
  confirmed_btc: btc,
  confirmations: z.int().nonnegative(),
  required_confirmations: z.int().nonnegative(),
  state: z.enum(paymentStates),
  bip21: z.string().nullable(),
  transactions: z.array(
    z.object({
      txid: z.string(),
      vout: z.int().nonnegative(),
      amount_btc: btc,
      confirmations: z.int().nonnegative(),
      first_seen: instant,
    }),
  ),
});
export type Payment = z.input<typeof payment>;
