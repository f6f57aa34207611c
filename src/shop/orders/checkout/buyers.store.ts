/** Accounts that place orders. Read only. */
import { sql } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';

const selectBuyer = compileOnce(
  (_db, { userId }: { readonly userId: string }) => sql<{ isBlocked: boolean }>`
    select blocked_at is not null as "isBlocked" from users where id = ${userId} for share
  `,
);

/**
 * Whether the account is blocked. Locks it until the transaction ends: a concurrent block waits. Call
 * it after the cart is locked and before an order is, as the deletion of an account locks them.
 */
export async function isBlocked(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await selectBuyer(tx, { userId });
  return rows[0]?.isBlocked ?? false;
}

/** Locks an account until the transaction ends. Call it before an order is locked, as the deletion of an account does. */
export async function lockBuyer(tx: Db, userId: string): Promise<void> {
  await selectBuyer(tx, { userId });
}
