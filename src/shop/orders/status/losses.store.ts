/** What of an order is written when its payment, or what was sent back, is lost. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { OrderLoss } from '../kinds.ts';

/** Writes the loss that is reported; its order's row is locked. */
export async function writeLoss(tx: Db, id: string, loss: OrderLoss | null, at: Date): Promise<void> {
  const since = loss === null ? null : at;
  await sql`
    update orders set recorded_loss = ${loss}, recorded_loss_at = ${since}::timestamptz where id = ${id}
  `.execute(tx);
}

/** Closes an order as a loss; false when it is closed already. */
export async function closeAsLoss(tx: Db, id: string, of: 'payment' | 'refund', at: Date): Promise<boolean> {
  const { rows } = await sql`
    update orders set closed_as_loss_at = ${at}, closed_as_loss_of = ${of}
    where id = ${id} and closed_as_loss_at is null returning id
  `.execute(tx);
  return rows.length > 0;
}

/** It is no loss after all. */
export async function reverseLoss(tx: Db, id: string): Promise<void> {
  await sql`update orders set closed_as_loss_at = null, closed_as_loss_of = null where id = ${id}`.execute(tx);
}

/** An order whose payment was lost for good waits for another one, as if it had never been paid. */
export async function clearPayment(tx: Db, id: string): Promise<void> {
  await sql`
    update orders set paid_at = null, settled_sats = null, units_returned_at = null where id = ${id}
  `.execute(tx);
}
