/** Fee estimates of the chain source, and fees of payments. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { SourceMempoolEntry } from './first-seen.ts';

/** Stores the estimate for confirmation within a day, in sats per 1,000 virtual bytes. */
export async function writeDayFee(db: Db, perKvb: bigint): Promise<void> {
  await sql`
    insert into fee_estimates (day_per_kvb, asked_at) values (${perKvb}, now())
    on conflict (only_row) do update set day_per_kvb = excluded.day_per_kvb, asked_at = excluded.asked_at
  `.execute(db);
}

/** Unconfirmed payments of orders, newest first. */
export async function listWaitingTxids(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ txid: string }>`
    select encode(txid, 'hex') as txid from payment_outputs
    where is_live and height is null and order_id is not null
    group by payment_outputs.txid order by max(first_seen) desc limit ${limit}
  `.execute(db);
  return rows.map(({ txid }) => txid);
}

export async function writeFees(db: Db, entries: ReadonlyMap<string, SourceMempoolEntry>): Promise<void> {
  const known = [...entries].filter(([, { feePerKvb }]) => feePerKvb !== null);
  const txids = known.map(([txid]) => Buffer.from(txid, 'hex'));
  const fees = known.map(([, { feePerKvb }]) => String(feePerKvb));
  await sql`
    update payment_outputs output set fee_per_kvb = said.fee
    from unnest(${txids}::bytea[], ${fees}::bigint[]) said (txid, fee)
    where output.txid = said.txid and output.height is null and output.fee_per_kvb is distinct from said.fee
  `.execute(db);
}
