/** Authenticator apps, recovery codes and logins that lack the second factor. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface SecondFactorRow {
  /** Encrypted. */
  readonly secret: Buffer;
  readonly confirmedAt: Date | null;
}

/** Serializes changes of the factor with new sessions of the account. */
export async function lockAccount(tx: Db, userId: string): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx);
}

/** Locks the account with this name. Null if there is none. */
export async function lockAccountByName(tx: Db, usernameKey: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from users where username_key = ${usernameKey} and deleted_at is null for no key update
  `.execute(tx);
  return rows[0]?.id ?? null;
}

/** Locks the factor until the transaction ends. Null if there is none, not even an unconfirmed one. */
export async function lockFactor(tx: Db, userId: string): Promise<SecondFactorRow | null> {
  const { rows } = await sql<SecondFactorRow>`
    select secret, confirmed_at as "confirmedAt" from second_factors where user_id = ${userId} for update
  `.execute(tx);
  return rows[0] ?? null;
}

export async function hasApp(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from second_factors where user_id = ${userId} and confirmed_at is not null
  `.execute(db);
  return rows.length > 0;
}

export interface FactorState {
  readonly confirmedAt: Date | null;
  readonly codesLeft: number;
}

export async function findFactorState(db: Db, userId: string): Promise<FactorState> {
  const { rows } = await sql<FactorState>`
    select
      (select confirmed_at from second_factors where user_id = ${userId}) as "confirmedAt",
      (select count(*)::integer from recovery_codes where user_id = ${userId}) as "codesLeft"
  `.execute(db);
  return rows[0] ?? { confirmedAt: null, codesLeft: 0 };
}

/** Stores a secret that is not confirmed yet. False if a confirmed one exists. */
export async function saveUnconfirmed(tx: Db, userId: string, secret: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factors (user_id, secret, created_at) values (${userId}, ${secret}, ${now})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
      where second_factors.confirmed_at is null
    returning user_id
  `.execute(tx);
  return rows.length > 0;
}

/** False if there is no app that waits for it. */
export async function markConfirmed(tx: Db, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update second_factors set confirmed_at = ${now} where user_id = ${userId} and confirmed_at is null returning user_id
  `.execute(tx);
  return rows.length > 0;
}

/** False if a code of this step or a later one was used before. */
export async function consumeStep(tx: Db, userId: string, step: number): Promise<boolean> {
  const { rows } = await sql`
    update second_factors set last_step = ${step} where user_id = ${userId} and last_step < ${step} returning user_id
  `.execute(tx);
  return rows.length > 0;
}

export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await sql`
    insert into recovery_codes (user_id, code_hash) select ${userId}, unnest(${hashes}::bytea[])
  `.execute(tx);
}

/** False if there is no such code. */
export async function consumeRecoveryCode(tx: Db, userId: string, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${hash} returning user_id
  `.execute(tx);
  return rows.length > 0;
}

export async function deleteRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx);
}

/** False if there was no confirmed app. */
export async function deleteApp(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_confirmed: boolean }>`
    delete from second_factors where user_id = ${userId} returning confirmed_at is not null as is_confirmed
  `.execute(tx);
  return rows[0]?.is_confirmed ?? false;
}
