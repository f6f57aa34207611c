/** Passkeys, and the challenges that they sign. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { PasskeyTransport } from './passkey-transport.ts';

export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly PasskeyTransport[];
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** Oldest first. */
export async function listPasskeys(db: Db, userId: string): Promise<readonly PasskeyRow[]> {
  const { rows } = await sql<Omit<PasskeyRow, 'counter'> & { readonly counter: string }>`
    select id, name, credential_id as "credentialId", public_key as "publicKey", counter::text as counter, transports,
      created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = ${userId} order by created_at, id
  `.execute(db);
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }));
}

export interface InsertedPasskey extends Omit<PasskeyRow, 'lastUsedAt'> {
  readonly userId: string;
}

/** False if an account of the shop has this passkey already. */
export async function insertPasskey(tx: Db, passkey: InsertedPasskey): Promise<boolean> {
  const { id, userId, credentialId, publicKey, counter, transports, name, createdAt } = passkey;
  const { rows } = await sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
    values (${id}, ${userId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}::text[], ${name}, ${createdAt})
    on conflict (credential_id) do nothing returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Whether an account of the shop has this passkey. */
export async function isRegistered(db: Db, credentialId: Buffer): Promise<boolean> {
  const { rows } = await sql`select from passkeys where credential_id = ${credentialId}`.execute(db);
  return rows.length > 0;
}

/** Records a use. False if the passkey was removed or its counter did not grow. */
export async function markUsed(tx: Db, id: string, counter: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set counter = ${counter}, last_used_at = ${now}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0)) returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Returns the name of the deleted passkey; null if the account has none with this id. */
export async function deletePasskey(tx: Db, userId: string, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    delete from passkeys where id = ${id} and user_id = ${userId} returning name
  `.execute(tx);
  return rows[0]?.name ?? null;
}

/** Returns how many there were. */
export async function deletePasskeysOf(tx: Db, userId: string): Promise<number> {
  const { rows } = await sql`delete from passkeys where user_id = ${userId} returning id`.execute(tx);
  return rows.length;
}

// ---- challenges

/** A session that adds a passkey, or a pending login. */
export type ChallengeOwner = { readonly sessionId: string } | { readonly loginHash: Buffer };

/** Replaces the challenge of the same session or login. False if that has ended meanwhile. */
export async function saveChallenge(
  db: Db,
  owner: ChallengeOwner,
  { challenge, expiresAt }: { readonly challenge: Buffer; readonly expiresAt: Date },
): Promise<boolean> {
  const saved =
    'sessionId' in owner
      ? sql`
          insert into passkey_challenges (session_id, challenge, expires_at)
          select id, ${challenge}::bytea, ${expiresAt}::timestamptz from sessions
          where id = ${owner.sessionId} for key share
          on conflict (session_id) do update set challenge = excluded.challenge, expires_at = excluded.expires_at
          returning challenge
        `
      : sql`
          insert into passkey_challenges (login_hash, challenge, expires_at)
          select token_hash, ${challenge}::bytea, ${expiresAt}::timestamptz from pending_logins
          where token_hash = ${owner.loginHash} for key share
          on conflict (login_hash) do update set challenge = excluded.challenge, expires_at = excluded.expires_at
          returning challenge
        `;
  return (await saved.execute(db)).rows.length > 0;
}

/** Deletes the challenge, whatever follows: it is used once. Null if there is none or it has expired. */
export async function consumeChallenge(db: Db, owner: ChallengeOwner, now: Date): Promise<Buffer | null> {
  const condition = 'sessionId' in owner ? sql`session_id = ${owner.sessionId}` : sql`login_hash = ${owner.loginHash}`;
  const { rows } = await sql<{ challenge: Buffer; expires_at: Date }>`
    delete from passkey_challenges where ${condition} returning challenge, expires_at
  `.execute(db);
  const [row] = rows;
  return row !== undefined && row.expires_at > now ? row.challenge : null;
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await sql`delete from passkey_challenges where expires_at <= ${now}`.execute(db);
}
