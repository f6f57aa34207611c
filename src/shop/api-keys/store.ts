/** API keys. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly scopes: readonly string[];
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly isOwnerPresent: boolean;
}

const IS_OWNER = sql.raw(`owner.role = 'owner' and owner.deleted_at is null and owner.blocked_at is null`);
const COLUMNS = sql`
  key.id, key.name, key.hint, key.scopes, owner.username as "createdBy", key.created_at as "createdAt",
  key.expires_at as "expiresAt", key.revoked_at as "revokedAt", key.last_used_at as "lastUsedAt",
  (${IS_OWNER}) as "isOwnerPresent"`;

/** The newest first. Old ones that are revoked are left out. */
export async function listKeys(db: Db, limit: number): Promise<readonly ApiKeyRow[]> {
  const { rows } = await sql<ApiKeyRow>`
    select ${COLUMNS} from api_keys key join users owner on owner.id = key.created_by
    order by key.revoked_at is not null, key.created_at desc, key.id desc limit ${limit}
  `.execute(db);
  return rows;
}

export async function findKey(db: Db, id: string): Promise<ApiKeyRow | null> {
  const { rows } = await sql<ApiKeyRow>`
    select ${COLUMNS} from api_keys key join users owner on owner.id = key.created_by where key.id = ${id}
  `.execute(db);
  return rows[0] ?? null;
}

/** False if the limit of keys that are not revoked is reached. */
export async function insertKey(
  tx: Db,
  key: {
    readonly id: string;
    readonly name: string;
    readonly hash: Uint8Array;
    readonly hint: string;
    readonly scopes: readonly string[];
    readonly createdBy: string;
    readonly createdAt: Date;
    readonly expiresAt: Date | null;
  },
  most: number,
): Promise<boolean> {
  // Two that are created at once would both be the last one.
  await sql`select pg_advisory_xact_lock(hashtextextended('api keys', 0))`.execute(tx);
  const { rows } = await sql`
    insert into api_keys (id, name, key_hash, hint, scopes, created_by, created_at, expires_at)
    select ${key.id}, ${key.name}, ${Buffer.from(key.hash)}, ${key.hint}, ${key.scopes}::text[], ${key.createdBy},
      ${key.createdAt}, ${key.expiresAt}
    where (select count(*) from api_keys where revoked_at is null) < ${most} returning id
  `.execute(tx);
  return rows.length > 0;
}

/** False if there is no such key, or if it is revoked already. */
export async function revokeKey(tx: Db, id: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update api_keys set revoked_at = ${now} where id = ${id} and revoked_at is null returning id
  `.execute(tx);
  return rows.length > 0;
}

export interface ValidKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly userId: string;
  readonly username: string;
  readonly lastUsedAt: Date | null;
}

/** The key with this hash. Null if it is unknown, expired or revoked, or if its creator is no owner any more. */
export async function findValidKey(db: Db, hash: Uint8Array, now: Date): Promise<ValidKey | null> {
  const { rows } = await sql<ValidKey>`
    select key.id, key.name, key.scopes, key.created_by as "userId", owner.username, key.last_used_at as "lastUsedAt"
    from api_keys key join users owner on owner.id = key.created_by
    where key.key_hash = ${Buffer.from(hash)} and key.revoked_at is null
      and (key.expires_at is null or key.expires_at > ${now}) and ${IS_OWNER}
  `.execute(db);
  return rows[0] ?? null;
}

/** Notes the use, unless another process did so since. */
export async function touchKey(db: Db, id: string, now: Date, unlessSince: Date): Promise<void> {
  await sql`
    update api_keys set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at <= ${unlessSince})
  `.execute(db);
}
