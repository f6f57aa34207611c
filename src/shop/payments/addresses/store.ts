/** Order addresses and their derivation indexes. */
import { sql } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';

/**
 * Reserves consecutive indexes of an account and returns the first. Commits asynchronously: the WAL
 * is sequential, so a later commit that uses an index makes this one durable too.
 */
export async function takeIndexes(db: Db, account: string, count: number): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    insert into wallets (account, next_index) select ${account}, ${count}::integer from relaxed
    on conflict (account) do update set next_index = wallets.next_index + excluded.next_index
    returning next_index - ${count}::integer as first
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('no address index was reserved');
  return row.first;
}

/** More orders than a shop receives between two backups; wallets can be set to scan this far. */
const INDEXES_SKIPPED = 10_000;

/**
 * Skips indexes after a restored backup, since addresses issued after the backup are unknown and
 * must not be issued twice.
 * @param account the current one; the backup may have no row for it.
 */
export async function skipIndexes(tx: Db, account: string): Promise<void> {
  await sql`insert into wallets (account) values (${account}) on conflict do nothing`.execute(tx);
  await sql`update wallets set next_index = next_index + ${INDEXES_SKIPPED}::integer`.execute(tx);
}

/** An address whose index is reserved. */
export interface TakenAddress {
  readonly address: string;
  readonly script: Uint8Array;
  readonly account: string;
  readonly index: number;
}

export interface IssuedAddress extends TakenAddress {
  readonly orderId: string;
  readonly issuedAt: Date;
}

const insertIssued = compileOnce(
  (_db, issued: Omit<IssuedAddress, 'script'> & { readonly script: Buffer }) => sql`
    insert into order_addresses (script, address, order_id, account, derivation_index, issued_at)
    values (${issued.script}, ${issued.address}, ${issued.orderId}, ${issued.account}, ${issued.index}, ${issued.issuedAt})
  `,
);

export async function insertAddress(db: Db, issued: IssuedAddress): Promise<void> {
  await insertIssued(db, { ...issued, script: Buffer.from(issued.script) });
}

export async function findAddress(
  db: Db,
  orderId: string,
): Promise<{ readonly address: string; readonly account: string; readonly index: number } | null> {
  const { rows } = await sql<{ address: string; account: string; index: number }>`
    select address, account, derivation_index as index from order_addresses where order_id = ${orderId}
  `.execute(db);
  return rows[0] ?? null;
}
