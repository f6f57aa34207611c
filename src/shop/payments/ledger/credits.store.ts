/** Credits of refunds to orders: they count as payments, and are no coins. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Sats } from '#src/shop/money.ts';

export interface OrderCredit {
  /** The order that it pays. */
  readonly orderId: string;
  /** The refund whose amount it is. */
  readonly refundId: string;
  readonly amountSats: Sats;
  readonly at: Date;
}

/** Stands for the transaction that there is not, where a key needs one. */
const createCreditTxid = (refundId: string): Buffer =>
  createHash('sha256').update(`credit of refund ${refundId}`).digest();

/**
 * Credits a refund to an order. It is final at once: its height is that of the first block, which no reorganization
 * removes.
 * @throws a unique violation if the refund is credited already
 */
export async function insertCredit(tx: Db, { amountSats, at, orderId, refundId }: OrderCredit): Promise<void> {
  await sql`
    insert into payment_outputs (txid, vout, order_id, amount_sats, is_coinbase, is_live, height, block_hash, first_seen,
      confirmed_at, raw_tx, credit_refund_id)
    values (${createCreditTxid(refundId)}, 0, ${orderId}, ${amountSats}, false, true, 0, ${Buffer.alloc(32)}, ${at},
      ${at}, ${Buffer.alloc(0)}, ${refundId})
  `.execute(tx);
}
