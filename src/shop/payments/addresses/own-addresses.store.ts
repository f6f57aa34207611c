/** Queries that recognize the shop's own addresses. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** A restore skips 10,000 indexes; other gaps are single indexes. */
const MAX_GAPS = 11_000;

export async function isIssued(db: Db, script: Uint8Array): Promise<boolean> {
  const { rows } = await sql`select from order_addresses where script = ${Buffer.from(script)}`.execute(db);
  return rows.length > 0;
}

export async function findNextIndex(db: Db, account: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select next_index as next from wallets where account = ${account}
  `.execute(db);
  return rows[0]?.next ?? 0;
}

/** Unissued indexes below an upper bound, newest first. */
export async function listUnissuedIndexes(db: Db, account: string, first: number, last: number): Promise<number[]> {
  const { rows } = await sql<{ index: number }>`
    select index from generate_series(${first}::integer, ${last}::integer - 1) index
    where not exists (
      select from order_addresses issued where issued.account = ${account} and issued.derivation_index = index)
    order by index desc limit ${MAX_GAPS}
  `.execute(db);
  return rows.map(({ index }) => index);
}

/** Planned refund transactions and their destinations since a moment, oldest first. */
export async function listRefundPlansSince(
  db: Db,
  since: Date | null,
): Promise<{ readonly psbt: Uint8Array; readonly to: Buffer; readonly madeAt: Date }[]> {
  const { rows } = await sql<{ psbt: Uint8Array; to: Buffer; madeAt: Date }>`
    select psbt, script.script as "to", made_at as "madeAt"
    from refunds join refund_scripts script on script.id = refund_script_id
    where psbt is not null and made_at >= coalesce(${since}::timestamptz, '-infinity')
    order by made_at
  `.execute(db);
  return rows;
}
