/** Blocks of customer accounts. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Role } from '#src/shop/permissions.ts';

export interface BlockableAccount {
  readonly role: Role;
  readonly blockedAt: Date | null;
}

/** Locks an account: logins, checkouts and requotes of the account wait until the transaction ends. */
export async function lockAccount(tx: Db, userId: string): Promise<BlockableAccount | null> {
  const { rows } = await sql<BlockableAccount>`
    select role, blocked_at as "blockedAt" from users
    where id = ${userId} and deleted_at is null for no key update`.execute(tx);
  return rows[0] ?? null;
}

export async function setBlocked(tx: Db, userId: string, at: Date | null): Promise<void> {
  await sql`update users set blocked_at = ${at} where id = ${userId}`.execute(tx);
}
