/** Idempotency keys of checkouts: a repeated request returns the first order. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

interface IdempotencyKeysTable {
  user_id: string;
  endpoint: string;
  key: string;
  request_hash: Buffer;
  order_id: string | null;
  created_at: Date;
}

type KeyRow = Pick<IdempotencyKeysTable, 'request_hash' | 'order_id'>;

const tables = (db: Db) => db.$extendTables<{ idempotency_keys: IdempotencyKeysTable }>();

interface RequestKey {
  readonly userId: string;
  readonly endpoint: string;
  readonly key: string;
}

const toKeyRow = ({ userId, endpoint, key }: RequestKey) => ({ user_id: userId, endpoint, key });

/** Claims a key; false when it is claimed already. Waits for a concurrent transaction that claims it. */
export async function claimKey(db: Db, request: RequestKey, requestHash: Buffer, now: Date): Promise<boolean> {
  const claimed = await tables(db)
    .insertInto('idempotency_keys')
    .values({ ...toKeyRow(request), request_hash: requestHash, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function findKey(db: Db, request: RequestKey): Promise<KeyRow | null> {
  const keys = tables(db).selectFrom('idempotency_keys').select(['request_hash', 'order_id']);
  return (await keys.where((where) => where.and(toKeyRow(request))).executeTakeFirst()) ?? null;
}

export async function bindKey(db: Db, request: RequestKey, orderId: string): Promise<void> {
  const keys = tables(db).updateTable('idempotency_keys').set({ order_id: orderId });
  await keys.where((where) => where.and(toKeyRow(request))).execute();
}

export async function deleteKeysBefore(db: Db, before: Date): Promise<void> {
  await sql`delete from idempotency_keys where created_at < ${before}`.execute(db);
}

export async function deleteUserKeys(tx: Db, userId: string): Promise<void> {
  await sql`delete from idempotency_keys where user_id = ${userId}`.execute(tx);
}
