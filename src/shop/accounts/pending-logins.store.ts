/** Logins whose password was right, and that wait for the second factor. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export async function insertPendingLogin(
  tx: Db,
  { userId, tokenHash, expiresAt }: { readonly userId: string; readonly tokenHash: Buffer; readonly expiresAt: Date },
): Promise<void> {
  await sql`
    insert into pending_logins (token_hash, user_id, expires_at) values (${tokenHash}, ${userId}, ${expiresAt})
  `.execute(tx);
}

export interface PendingLogin {
  readonly userId: string;
  readonly passwordHash: string;
}

/** Counts an attempt. Null if the login has expired or has no attempts left. */
export async function consumePendingAttempt(
  db: Db,
  tokenHash: Buffer,
  { now, maxAttempts }: { readonly now: Date; readonly maxAttempts: number },
): Promise<PendingLogin | null> {
  const { rows } = await sql<PendingLogin>`
    update pending_logins set attempts = attempts + 1 from users
    where token_hash = ${tokenHash} and expires_at > ${now} and attempts < ${maxAttempts}
      and users.id = pending_logins.user_id and users.deleted_at is null
    returning users.id as "userId", users.password_hash as "passwordHash"
  `.execute(db);
  return rows[0] ?? null;
}

/** The account of a login that is still pending. Null if it has ended. */
export async function findPendingLogin(db: Db, tokenHash: Buffer, now: Date): Promise<string | null> {
  const { rows } = await sql<{ userId: string }>`
    select user_id as "userId" from pending_logins where token_hash = ${tokenHash} and expires_at > ${now}
  `.execute(db);
  return rows[0]?.userId ?? null;
}

/** False if it was completed or ended before. */
export async function deletePendingLogin(tx: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`delete from pending_logins where token_hash = ${tokenHash} returning token_hash`.execute(
    tx,
  );
  return rows.length > 0;
}

export async function deletePendingLoginsOf(tx: Db, userId: string): Promise<void> {
  await sql`delete from pending_logins where user_id = ${userId}`.execute(tx);
}

export async function deleteExpiredPendingLogins(db: Db, now: Date): Promise<void> {
  await sql`delete from pending_logins where expires_at <= ${now}`.execute(db);
}
