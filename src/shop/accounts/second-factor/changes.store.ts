/** Changes of second factors that wait for a day, and what a session has confirmed. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { PasskeyTransport } from './passkey-transport.ts';

export interface NewPasskey {
  readonly name: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly PasskeyTransport[];
}

/** A change of the second factors of an account. */
export type FactorChange =
  /** Turns the unconfirmed app on. */
  | { readonly kind: 'add-app' }
  | { readonly kind: 'remove-app' }
  | { readonly kind: 'add-passkey'; readonly passkey: NewPasskey }
  | { readonly kind: 'remove-passkey'; readonly passkeyId: string }
  | { readonly kind: 'replace-recovery-codes'; readonly codeHashes: readonly Buffer[] };

// ---- what a session has confirmed

export interface SessionFactor {
  readonly confirmedAt: Date | null;
  readonly recoveryCodeUsedAt: Date | null;
}

export async function findSessionFactor(db: Db, sessionId: string): Promise<SessionFactor> {
  const { rows } = await sql<SessionFactor>`
    select factor_confirmed_at as "confirmedAt", recovery_code_used_at as "recoveryCodeUsedAt"
    from sessions where id = ${sessionId}
  `.execute(db);
  return rows[0] ?? { confirmedAt: null, recoveryCodeUsedAt: null };
}

export async function markFactorConfirmed(tx: Db, sessionId: string, now: Date): Promise<void> {
  await sql`update sessions set factor_confirmed_at = ${now} where id = ${sessionId}`.execute(tx);
}

/** @param at null: a change has used it */
export async function markRecoveryCodeUsed(tx: Db, sessionId: string, at: Date | null): Promise<void> {
  await sql`update sessions set recovery_code_used_at = ${at} where id = ${sessionId}`.execute(tx);
}

// ---- changes that wait

export interface PendingChange {
  readonly id: string;
  readonly userId: string;
  readonly requestedAt: Date;
  readonly takesEffectAt: Date;
  readonly change: FactorChange;
  /** Of the passkey to be added or removed. */
  readonly passkeyName: string | null;
}

interface Row {
  readonly id: string;
  readonly userId: string;
  readonly kind: FactorChange['kind'];
  readonly requestedAt: Date;
  readonly takesEffectAt: Date;
  readonly passkeyName: string | null;
  readonly credentialId: Buffer | null;
  readonly publicKey: Buffer | null;
  readonly counter: string | null;
  readonly transports: readonly PasskeyTransport[] | null;
  readonly codeHashes: readonly Buffer[] | null;
  readonly passkeyId: string | null;
}

const COLUMNS = sql`
  id, user_id as "userId", kind, requested_at as "requestedAt", takes_effect_at as "takesEffectAt",
  coalesce(passkey_name, (select name from passkeys where passkeys.id = passkey_id)) as "passkeyName",
  credential_id as "credentialId", public_key as "publicKey", counter::text as counter, transports,
  code_hashes as "codeHashes", passkey_id as "passkeyId"
`;

function toChange({ kind, passkeyName, credentialId, publicKey, ...row }: Row): FactorChange {
  if (kind === 'add-passkey' && passkeyName !== null && credentialId && publicKey) {
    const passkey = { name: passkeyName, credentialId, publicKey, counter: Number(row.counter) };
    return { kind, passkey: { ...passkey, transports: row.transports ?? [] } };
  }
  if (kind === 'remove-passkey' && row.passkeyId !== null) return { kind, passkeyId: row.passkeyId };
  if (kind === 'replace-recovery-codes' && row.codeHashes) return { kind, codeHashes: row.codeHashes };
  if (kind === 'add-app' || kind === 'remove-app') return { kind };
  throw new Error(`the change of the kind "${kind}" is incomplete`);
}

const toPending = (row: Row): PendingChange => ({ ...row, change: toChange(row) });

export async function findChange(db: Db, userId: string): Promise<PendingChange | null> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from second_factor_changes where user_id = ${userId}
  `.execute(db);
  return rows[0] ? toPending(rows[0]) : null;
}

export async function findChangeById(db: Db, id: string): Promise<PendingChange | null> {
  const { rows } = await sql<Row>`select ${COLUMNS} from second_factor_changes where id = ${id}`.execute(db);
  return rows[0] ? toPending(rows[0]) : null;
}

/** False if the account has one already. */
export async function insertChange(tx: Db, pending: Omit<PendingChange, 'passkeyName'>): Promise<boolean> {
  const { id, userId, requestedAt, takesEffectAt, change } = pending;
  const passkey = change.kind === 'add-passkey' ? change.passkey : null;
  const hashes = change.kind === 'replace-recovery-codes' ? change.codeHashes : null;
  const passkeyId = change.kind === 'remove-passkey' ? change.passkeyId : null;
  const { rows } = await sql`
    insert into second_factor_changes (
      id, user_id, kind, requested_at, takes_effect_at,
      passkey_name, credential_id, public_key, counter, transports, code_hashes, passkey_id
    ) values (
      ${id}, ${userId}, ${change.kind}, ${requestedAt}, ${takesEffectAt},
      ${passkey?.name ?? null}, ${passkey?.credentialId ?? null}, ${passkey?.publicKey ?? null},
      ${passkey?.counter ?? null}, ${passkey?.transports ?? null}::text[], ${hashes}::bytea[], ${passkeyId}
    ) on conflict (user_id) do nothing returning id
  `.execute(tx);
  return rows.length > 0;
}

/** The change that is due longest. Null if none is. */
export async function findDueChange(
  db: Db,
  now: Date,
): Promise<{ readonly id: string; readonly userId: string } | null> {
  const { rows } = await sql<{ id: string; userId: string }>`
    select id, user_id as "userId" from second_factor_changes
    where takes_effect_at <= ${now} order by takes_effect_at, id limit 1
  `.execute(db);
  return rows[0] ?? null;
}

/** Deletes and returns a change. Null if it was cancelled or has taken effect. */
export async function takeChange(tx: Db, id: string): Promise<PendingChange | null> {
  const { rows } = await sql<Row>`delete from second_factor_changes where id = ${id} returning ${COLUMNS}`.execute(tx);
  return rows[0] ? toPending(rows[0]) : null;
}

export async function deleteChangeOf(tx: Db, userId: string): Promise<void> {
  await sql`delete from second_factor_changes where user_id = ${userId}`.execute(tx);
}

/** Adds the hash of the token in a mail. False if the change does not wait any more. */
export async function addToken(db: Db, id: string, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    update second_factor_changes set token_hashes = array_append(token_hashes, ${tokenHash}::bytea)
    where id = ${id} returning id
  `.execute(db);
  return rows.length > 0;
}

/** The change that a link cancels. */
export async function findChangeByToken(
  db: Db,
  tokenHash: Buffer,
): Promise<{ readonly id: string; readonly userId: string; readonly username: string } | null> {
  const { rows } = await sql<{ id: string; userId: string; username: string }>`
    select change.id, users.id as "userId", users.username
    from second_factor_changes change join users on users.id = change.user_id
    where ${tokenHash}::bytea = any(token_hashes)
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Ids of notices to confirmed addresses that the account had after this time. Who has a stolen session may
 * have changed the address first.
 */
export async function listFormerAddresses(db: Db, userId: string, since: Date): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from account_notices
    where user_id = ${userId} and kind = 'address-changed' and is_confirmed and at > ${since} order by at, id
  `.execute(db);
  return rows.map(({ id }) => id);
}
