/** Loss columns of orders. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { OrderLoss } from '../kinds.ts';

/** Stores the recorded loss; the caller holds the row lock. */
export async function writeLoss(tx: Db, id: string, loss: OrderLoss | null, at: Date): Promise<void> {
  const since = loss === null ? null : at;
  await sql`
    update orders set recorded_loss = ${loss}, recorded_loss_at = ${since}::timestamptz where id = ${id}
  `.execute(tx);
}

/** Closes an order as a loss; false if it already is. */
export async function closeAsLoss(tx: Db, id: string, of: 'payment' | 'refund', at: Date): Promise<boolean> {
  const { rows } = await sql`
    update orders set closed_as_loss_at = ${at}, closed_as_loss_of = ${of}
    where id = ${id} and closed_as_loss_at is null returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Reopens an order closed as a loss. */
export async function reverseLoss(tx: Db, id: string): Promise<void> {
  await sql`update orders set closed_as_loss_at = null, closed_as_loss_of = null where id = ${id}`.execute(tx);
}

/** Resets a double-spent payment, so that the order can be paid again. */
export async function clearPayment(tx: Db, id: string): Promise<void> {
  await sql`
    update orders set paid_at = null, settled_sats = null, units_returned_at = null where id = ${id}
  `.execute(tx);
}
