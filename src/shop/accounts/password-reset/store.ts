/** Password reset requests, codes, and counts of attempts. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Role } from '#src/shop/permissions.ts';

interface Tables {
  users: { id: string; username: string; email: string; email_key: string; role: Role; deleted_at: Date | null };
  password_reset_requests: { id: string; email_key: string; created_at: Date };
  password_reset_codes: { id: string; user_id: string; code_hash: Buffer; expires_at: Date };
  password_reset_tries: { address_hash: Buffer; tries: number; day_tries: number; day_began: Date };
}

const tables = (db: Db): Kysely<Tables> => db.$extendTables<Pick<Tables, keyof Tables>>();

export async function findUserByEmail(db: Db, emailKey: string) {
  const query = tables(db)
    .selectFrom('users')
    .select(['id', 'username', 'email'])
    .select(sql<boolean>`email_confirmed_at is not null`.as('isConfirmed'))
    .where('email_key', '=', emailKey);
  return (await query.where('deleted_at', 'is', null).executeTakeFirst()) ?? null;
}

/** Lock before the codes of the user; an address change locks in the same order. */
export async function lockUser(tx: Db, userId: string): Promise<Role> {
  const user = tables(tx).selectFrom('users').select('role').where('id', '=', userId).forUpdate();
  return (await user.executeTakeFirst())?.role ?? 'customer';
}

export async function confirmEmail(tx: Db, userId: string, now: Date): Promise<void> {
  await sql`update users set email_confirmed_at = coalesce(email_confirmed_at, ${now}) where id = ${userId}`.execute(
    tx,
  );
}

// ---- requests

export interface ResetRequest {
  readonly emailKey: string;
  readonly createdAt: Date;
}

export async function insertRequest(tx: Db, id: string, { emailKey, createdAt }: ResetRequest): Promise<void> {
  const row = { id, email_key: emailKey, created_at: createdAt };
  await tables(tx).insertInto('password_reset_requests').values(row).execute();
}

export async function findRequest(db: Db, id: string): Promise<ResetRequest | null> {
  const query = tables(db).selectFrom('password_reset_requests').where('id', '=', id);
  return (await query.select(['email_key as emailKey', 'created_at as createdAt']).executeTakeFirst()) ?? null;
}

export async function deleteRequest(db: Db, id: string): Promise<void> {
  await tables(db).deleteFrom('password_reset_requests').where('id', '=', id).execute();
}

// ---- codes

export interface Code {
  readonly id: string;
  readonly userId: string;
  readonly codeHash: Buffer;
  readonly expiresAt: Date;
}

/**
 * Stores a code, replacing the one of the same request. Keeps the newest `atMost` codes of the
 * user.
 */
export async function saveCode(tx: Db, { id, userId, codeHash, expiresAt }: Code, atMost: number): Promise<void> {
  const row = { user_id: userId, code_hash: codeHash, expires_at: expiresAt };
  await tables(tx)
    .insertInto('password_reset_codes')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
  await sql`
    delete from password_reset_codes where user_id = ${userId} and id not in (
      select id from password_reset_codes where user_id = ${userId} order by expires_at desc, id desc limit ${atMost}
    )`.execute(tx);
}

/** Does not consume the code. */
export async function isCodeValid(db: Db, userId: string, codeHash: Buffer, now: Date): Promise<boolean> {
  const query = tables(db).selectFrom('password_reset_codes').select('id').where('user_id', '=', userId);
  const good = query.where('code_hash', '=', codeHash).where('expires_at', '>', now);
  return (await good.executeTakeFirst()) !== undefined;
}

/** Consumes a code; false if another transaction has consumed it. */
export async function consumeCode(tx: Db, userId: string, codeHash: Buffer, now: Date): Promise<boolean> {
  const query = tables(tx)
    .deleteFrom('password_reset_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .returning('id');
  return (await query.executeTakeFirst()) !== undefined;
}

export async function deleteCodes(tx: Db, userId: string): Promise<void> {
  await tables(tx).deleteFrom('password_reset_codes').where('user_id', '=', userId).execute();
}

// ---- attempts

export interface AttemptLimits {
  readonly now: Date;
  /** Earlier attempts do not count towards the daily limit. */
  readonly dayAgo: Date;
  readonly tries: number;
  readonly dayTries: number;
}

/** Counts an attempt; false if none is left. Concurrent calls are serialized by the row lock. */
export async function consumeAttempt(
  tx: Db,
  addressHash: Buffer,
  { now, dayAgo, tries, dayTries }: AttemptLimits,
): Promise<boolean> {
  const { rows } = await sql`
    insert into password_reset_tries as existing (address_hash, tries, day_tries, day_began)
    values (${addressHash}, 1, 1, ${now})
    on conflict (address_hash) do update set
      tries = existing.tries + 1,
      day_tries = case when existing.day_began > ${dayAgo} then existing.day_tries + 1 else 1 end,
      day_began = case when existing.day_began > ${dayAgo} then existing.day_began else ${now} end
    where existing.tries < ${tries} and (existing.day_tries < ${dayTries} or existing.day_began <= ${dayAgo})
    returning tries`.execute(tx);
  return rows.length > 0;
}

/** Restores the attempts per code. The daily limit stays. */
export async function resetAttempts(tx: Db, addressHash: Buffer, now: Date): Promise<void> {
  await tables(tx)
    .insertInto('password_reset_tries')
    .values({ address_hash: addressHash, tries: 0, day_tries: 0, day_began: now })
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet({ tries: 0 }))
    .execute();
}

export async function deleteOld(db: Db, { now, dayAgo }: { now: Date; dayAgo: Date }): Promise<void> {
  await tables(db).deleteFrom('password_reset_requests').where('created_at', '<', dayAgo).execute();
  await tables(db).deleteFrom('password_reset_codes').where('expires_at', '<', now).execute();
  await tables(db).deleteFrom('password_reset_tries').where('day_began', '<', dayAgo).execute();
}

/**
 * Deletes the codes of a user, and the requests and counted attempts of these addresses; attempts of known devices
 * expire within a day.
 */
export async function deleteAll(tx: Db, userId: string, emailKeys: readonly string[]): Promise<void> {
  const addressHashes = emailKeys.map((key) => createHash('sha256').update(key).digest());
  await deleteCodes(tx, userId);
  await tables(tx).deleteFrom('password_reset_requests').where('email_key', 'in', emailKeys).execute();
  await tables(tx).deleteFrom('password_reset_tries').where('address_hash', 'in', addressHashes).execute();
}
