/** What tells the shop's own addresses from others. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** After a restore 10,000 are passed over; older gaps are single ones. */
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

/** Indexes from the first up to below the last that were passed over or are still to be given out; the newest first. */
export async function listUnissuedIndexes(db: Db, account: string, first: number, last: number): Promise<number[]> {
  const { rows } = await sql<{ index: number }>`
    select index from generate_series(${first}::integer, ${last}::integer - 1) index
    where not exists (
      select from order_addresses issued where issued.account = ${account} and issued.derivation_index = index)
    order by index desc limit ${MAX_GAPS}
  `.execute(db);
  return rows.map(({ index }) => index);
}

/** The transactions that were planned for refunds, from a moment on, and where the refunds go; oldest first. */
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
