import { z } from 'zod';
import { btc, id, instant } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { paymentStatuses } from '../kinds.ts';
import { paymentVerdicts } from './payment-verdict.ts';

const count = z.int().nonnegative();
const height = z.int().nonnegative();

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

export const transactionsApi = {
  'GET /payments/transactions/{txid}': {
    summary: 'Staff: orders and refunds of a transaction, whether it counts, and its state on the network',
    params: z.object({ txid: z.string().regex(/^[0-9a-fA-F]{64}$/) }),
    response: lookedUp,
    refusals: { 403: 'forbidden' },
  },
} as const satisfies Contract;
