/** Profile changes, email confirmations and security notices. */
import { sql } from 'kysely';
import type { Generated, Kysely } from 'kysely';
import { isUniqueViolation } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Role } from '#src/shop/permissions.ts';
import type { NoticeKind } from './notice-kind.ts';

interface Tables {
  users: {
    id: string;
    username: string;
    username_key: string;
    email: string;
    email_key: string;
    password_hash: string;
    is_password_short: boolean | null;
    role: Role;
    email_confirmed_at: Date | null;
    deleted_at: Date | null;
  };
  sessions: {
    id: string;
    user_id: string;
    created_at: Date;
    last_seen_at: Date;
    expires_at: Date;
    authenticated_at: Date;
    wrong_passwords: Generated<number>;
    device: string;
  };
  email_confirmations: { id: string; user_id: string; email_key: string; token_hash: Buffer; expires_at: Date };
  account_notices: {
    id: string;
    user_id: string;
    kind: NoticeKind;
    recipient: string;
    is_confirmed: boolean;
    at: Date;
  };
}

const tables = (db: Db): Kysely<Tables> => db.$extendTables<Pick<Tables, keyof Tables>>();

// ---- users

const selectUser = (db: Db, userId: string) =>
  tables(db).selectFrom('users').where('id', '=', userId).where('deleted_at', 'is', null);

export interface ProfileRow {
  readonly role: Role;
  readonly username: string;
  readonly usernameKey: string;
  readonly email: string;
  readonly emailKey: string;
  readonly emailConfirmedAt: Date | null;
}

const selectProfile = (db: Db, userId: string) =>
  selectUser(db, userId).select([
    'role',
    'username',
    'username_key as usernameKey',
    'email',
    'email_key as emailKey',
    'email_confirmed_at as emailConfirmedAt',
  ]);

export async function findProfile(db: Db, userId: string): Promise<ProfileRow | null> {
  return (await selectProfile(db, userId).executeTakeFirst()) ?? null;
}

/** Locks the user until the transaction ends. */
export async function lockProfile(tx: Db, userId: string): Promise<ProfileRow | null> {
  return (await selectProfile(tx, userId).forUpdate().executeTakeFirst()) ?? null;
}

/** @throws a unique violation; `findTakenField` names the field */
export async function updateProfile(tx: Db, userId: string, row: Omit<ProfileRow, 'role'>): Promise<void> {
  await tables(tx)
    .updateTable('users')
    .set({
      username: row.username,
      username_key: row.usernameKey,
      email: row.email,
      email_key: row.emailKey,
      email_confirmed_at: row.emailConfirmedAt,
    })
    .where('id', '=', userId)
    .execute();
}

/** Field whose unique index was violated; null for any other error. */
export function findTakenField(error: unknown): 'username' | 'email' | null {
  if (isUniqueViolation(error, 'users_username_key_key')) return 'username';
  return isUniqueViolation(error, 'users_email_key_key') ? 'email' : null;
}

export async function findPasswordHash(db: Db, userId: string): Promise<string | null> {
  return (await selectUser(db, userId).select('password_hash').executeTakeFirst())?.password_hash ?? null;
}

export interface NewPassword {
  readonly hash: string;
  /** Too short for an account with a role. */
  readonly isShort: boolean;
}

export async function setPassword(tx: Db, userId: string, { hash, isShort }: NewPassword): Promise<void> {
  const password = { password_hash: hash, is_password_short: isShort };
  await tables(tx).updateTable('users').set(password).where('id', '=', userId).execute();
}

// ---- sessions

export async function isAuthenticatedSince(db: Db, sessionId: string, since: Date): Promise<boolean> {
  const query = tables(db).selectFrom('sessions').select('id').where('id', '=', sessionId);
  return (await query.where('authenticated_at', '>', since).executeTakeFirst()) !== undefined;
}

/** Records a correct password. */
export async function markAuthenticated(db: Db, sessionId: string, now: Date): Promise<void> {
  const update = tables(db).updateTable('sessions').set({ authenticated_at: now, wrong_passwords: 0 });
  await update.where('id', '=', sessionId).execute();
}

/** Counts a password as wrong. Returns their number; null if there were `max` before, or the session has ended. */
export async function countGuess(db: Db, sessionId: string, max: number): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    update sessions set wrong_passwords = wrong_passwords + 1
    where id = ${sessionId} and wrong_passwords < ${max} returning wrong_passwords as count
  `.execute(db);
  return rows[0]?.count ?? null;
}

/** Uncounts a password that was not checked. */
export async function restoreGuess(db: Db, sessionId: string): Promise<void> {
  await sql`
    update sessions set wrong_passwords = wrong_passwords - 1 where id = ${sessionId} and wrong_passwords > 0
  `.execute(db);
}

/** Sessions that began and were last seen after the given times. */
export async function listSessions(
  db: Db,
  userId: string,
  { now, idleSince, since }: { readonly now: Date; readonly idleSince: Date; readonly since: Date },
) {
  return tables(db)
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}

/** False if the user has no such session. */
export async function deleteSessionOf(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const deleted = tables(db).deleteFrom('sessions').where('id', '=', sessionId).where('user_id', '=', userId);
  return (await deleted.returning('id').executeTakeFirst()) !== undefined;
}

/** Returns the ids of the ended sessions. @param except session that stays; null for none */
export async function deleteSessions(db: Db, userId: string, except: string | null): Promise<string[]> {
  const deleting = tables(db).deleteFrom('sessions').where('user_id', '=', userId).returning('id');
  const rows = await (except === null ? deleting : deleting.where('id', '!=', except)).execute();
  return rows.map(({ id }) => id);
}

// ---- confirmed addresses

export interface Confirmation {
  readonly id: string;
  readonly userId: string;
  readonly emailKey: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** A resent mail replaces the token. */
export async function saveConfirmation(tx: Db, confirmation: Confirmation): Promise<void> {
  const { id, userId, emailKey, tokenHash, expiresAt } = confirmation;
  const row = { user_id: userId, email_key: emailKey, token_hash: tokenHash, expires_at: expiresAt };
  await tables(tx)
    .insertInto('email_confirmations')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Consumes a token; null if it is invalid. */
export async function consumeConfirmation(
  tx: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<{ readonly userId: string; readonly emailKey: string } | null> {
  const query = tables(tx)
    .deleteFrom('email_confirmations')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'email_key as emailKey']);
  return (await query.executeTakeFirst()) ?? null;
}

export async function deleteConfirmations(tx: Db, userId: string): Promise<void> {
  await tables(tx).deleteFrom('email_confirmations').where('user_id', '=', userId).execute();
}

/** False if the address of the user has changed. */
export async function confirmEmail(tx: Db, userId: string, emailKey: string, now: Date): Promise<boolean> {
  const confirmed = tables(tx)
    .updateTable('users')
    .set({ email_confirmed_at: now })
    .where('id', '=', userId)
    .where('email_key', '=', emailKey)
    .where('deleted_at', 'is', null);
  return (await confirmed.returning('id').executeTakeFirst()) !== undefined;
}

// ---- notices

export interface Notice {
  readonly id: string;
  readonly userId: string;
  readonly kind: NoticeKind;
  readonly recipient: string;
  readonly isConfirmed: boolean;
  readonly at: Date;
}

export async function insertNotice(tx: Db, { userId, isConfirmed, ...notice }: Notice): Promise<void> {
  const row = { ...notice, user_id: userId, is_confirmed: isConfirmed };
  await tables(tx).insertInto('account_notices').values(row).execute();
}

export async function findNotice(db: Db, id: string): Promise<Notice | null> {
  const query = tables(db)
    .selectFrom('account_notices')
    .select(['id', 'user_id as userId', 'kind', 'recipient', 'is_confirmed as isConfirmed', 'at']);
  return (await query.where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function deleteNotices(tx: Db, userId: string): Promise<void> {
  await tables(tx).deleteFrom('account_notices').where('user_id', '=', userId).execute();
}

/** Notices contain former addresses of the user and are deleted after a time. */
export async function deleteOld(db: Db, { now, noticesBefore }: { now: Date; noticesBefore: Date }): Promise<void> {
  const old = tables(db).deleteFrom('account_notices').where('at', '<', noticesBefore);
  await old.where('kind', '!=', 'address-changed').execute();
  await tables(db).deleteFrom('email_confirmations').where('expires_at', '<', now).execute();
}
