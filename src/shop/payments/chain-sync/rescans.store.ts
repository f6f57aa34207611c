/** Rescans, and which outputs of their blocks the ledger already has. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface Rescan {
  readonly id: string;
  readonly from_height: number;
  readonly to_height: number;
  /** Blocks below this height were read or are unavailable. */
  readonly next_height: number;
  /** The source has no blocks up to this height. */
  readonly unread_until: number | null;
  readonly found: number;
  readonly state: 'open' | 'done' | 'stopped';
  readonly problem: string | null;
  readonly by: string;
  readonly asked_at: Date;
  readonly ended_at: Date | null;
}

const MAX_RESCANS = 50;
const COLUMNS = sql`
  rescan.id, from_height, to_height, next_height, unread_until, found, state, problem, users.username as by, asked_at, ended_at
  from chain_rescans rescan join users on users.id = rescan.asked_by`;

export async function listRescans(db: Db, limit: number): Promise<Rescan[]> {
  const { rows } = await sql<Rescan>`select ${COLUMNS} order by asked_at desc, rescan.id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

export async function findRescan(db: Db, id: string): Promise<Rescan | null> {
  const { rows } = await sql<Rescan>`select ${COLUMNS} where rescan.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export async function findOpenRescan(db: Db): Promise<Rescan | null> {
  const { rows } = await sql<Rescan>`select ${COLUMNS} where state = 'open'`.execute(db);
  return rows[0] ?? null;
}

/** False if another rescan is open. */
export async function insertRescan(
  tx: Db,
  rescan: { readonly id: string; readonly from: number; readonly to: number; readonly by: string; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into chain_rescans (id, from_height, to_height, next_height, asked_by, asked_at)
    values (${rescan.id}, ${rescan.from}, ${rescan.to}, ${rescan.from}, ${rescan.by}, ${rescan.at})
    on conflict do nothing returning id
  `.execute(tx);
  await sql`
    delete from chain_rescans where state <> 'open' and id not in (
      select id from chain_rescans order by asked_at desc limit ${MAX_RESCANS})
  `.execute(tx);
  return rows.length > 0;
}

/** False if it has ended or does not exist. */
export async function stopRescan(db: Db, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update chain_rescans set state = 'stopped', ended_at = ${at} where id = ${id} and state = 'open' returning id
  `.execute(db);
  return rows.length > 0;
}

export interface RescanProgress {
  readonly next: number;
  readonly unreadUntil: number | null;
  readonly found: number;
  readonly at: Date;
}

/** Stores the progress of a rescan, and completes it at the end. No effect on a stopped one. */
export async function advanceRescan(
  tx: Db,
  id: string,
  { next, unreadUntil, found, at }: RescanProgress,
): Promise<void> {
  await sql`
    update chain_rescans set next_height = ${next}, unread_until = coalesce(${unreadUntil}::integer, unread_until),
      found = found + ${found}::integer, problem = null,
      state = case when ${next} > to_height then 'done' else 'open' end,
      ended_at = case when ${next} > to_height then ${at}::timestamptz end
    where id = ${id} and state = 'open'
  `.execute(tx);
}

export async function writeProblem(db: Db, id: string, problem: string): Promise<void> {
  await sql`update chain_rescans set problem = ${problem} where id = ${id} and state = 'open'`.execute(db);
}

/** Locks the cursor row; false if its revision has changed. */
export async function lockCursor(tx: Db, revision: number): Promise<boolean> {
  const { rows } = await sql`select from chain_cursor where revision = ${revision} for update`.execute(tx);
  return rows.length > 0;
}

/** Makes other processes read the whole mempool again. */
export async function incrementRevision(tx: Db): Promise<void> {
  await sql`update chain_cursor set revision = revision + 1`.execute(tx);
}

/** Those of the outpoints (`txid:vout`) that the ledger has in a block. */
export async function findInBlocks(
  tx: Db,
  outputs: readonly { txid: string; vout: number }[],
): Promise<ReadonlySet<string>> {
  if (outputs.length === 0) return new Set();
  const { rows } = await sql<{ outpoint: string }>`
    select encode(txid, 'hex') || ':' || vout as outpoint from payment_outputs
    join unnest(${outputs.map(({ txid }) => Buffer.from(txid, 'hex'))}::bytea[], ${outputs.map(({ vout }) => vout)}::integer[])
      asked (txid, vout) using (txid, vout)
    where height is not null
  `.execute(tx);
  return new Set(rows.map(({ outpoint }) => outpoint));
}
