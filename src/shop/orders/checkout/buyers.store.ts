/** Accounts that place orders. Read only. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/**
 * Whether the account is blocked. Locks it until the transaction ends: a concurrent block waits. Call
 * it after the cart is locked and before an order is, as the deletion of an account locks them.
 */
export async function isBlocked(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ isBlocked: boolean }>`
    select blocked_at is not null as "isBlocked" from users where id = ${userId} for share`.execute(tx);
  return rows[0]?.isBlocked ?? false;
}
