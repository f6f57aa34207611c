import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Role } from '#src/shop/permissions.ts';

export interface AccountRow {
  readonly username: string;
  readonly username_key: string;
  readonly email: string;
  readonly email_key: string;
  readonly email_confirmed_at: Date | null;
  readonly role: Role;
  readonly created_at: Date;
  /** Version of the terms that the user agreed to. */
  readonly accepted_terms: number | null;
}

export interface StoredSession {
  readonly device: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
}

const ACCOUNT = sql`select username, username_key, email, email_key, email_confirmed_at, role, created_at, accepted_terms from users`;

export async function findAccount(db: Db, userId: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`${ACCOUNT} where id = ${userId} and deleted_at is null`.execute(db);
  return rows[0] ?? null;
}

/** The lock conflicts with the foreign key of a new order, so a concurrent checkout commits first or waits. */
export async function lockAccount(tx: Db, userId: string): Promise<AccountRow | null> {
  const { rows } = await sql<AccountRow>`
    ${ACCOUNT} where id = ${userId} and deleted_at is null for update
  `.execute(tx);
  return rows[0] ?? null;
}

export async function listSessions(db: Db, userId: string): Promise<StoredSession[]> {
  const { rows } = await sql<StoredSession>`
    select device, created_at, last_seen_at, expires_at from sessions where user_id = ${userId} order by created_at
  `.execute(db);
  return rows;
}

/** Every email address that the account has or had, in NFKC and lower case. */
export async function listAddresses(
  db: Db,
  userId: string,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select lower(normalize(email, nfkc)) as address from users
    where id = ${userId} and (email_confirmed_at is not null or not ${isConfirmed}::boolean)
    union
    select lower(normalize(recipient, nfkc)) from account_notices
    where user_id = ${userId} and (is_confirmed or not ${isConfirmed}::boolean)
  `.execute(db);
  return rows.map(({ address }) => address);
}

/** Which of these keys of addresses another account has. */
export async function listKeysOfOthers(db: Db, userId: string, emailKeys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select email_key as key from users where email_key = any(${emailKeys}::text[]) and id <> ${userId}
  `.execute(db);
  return rows.map(({ key }) => key);
}

/** Other tables refer to the row, so it stays without personal data. */
export async function anonymiseUser(tx: Db, userId: string, now: Date): Promise<void> {
  const key = `deleted:${userId}`;
  await sql`
    update users set username = 'Deleted customer', username_key = ${key}, email = '', email_key = ${key},
      password_hash = '', is_demo = false, email_confirmed_at = null, blocked_at = null, deleted_at = ${now}
    where id = ${userId}
  `.execute(tx);
}
