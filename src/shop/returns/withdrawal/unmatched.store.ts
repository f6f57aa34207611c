/** Statements of withdrawal that name no order of the shop. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';

export interface UnmatchedRow {
  readonly id: string;
  readonly reference: string;
  readonly statedAt: Date;
  /** As typed. */
  readonly orderNumber: string;
  readonly orderEmail: string | null;
  readonly acknowledgementEmail: string | null;
  readonly name: string;
  readonly statement: string;
  readonly answeredAt: Date | null;
}

const SELECT_UNMATCHED = sql`
  select id, reference, stated_at as "statedAt", order_number as "orderNumber", order_email as "orderEmail",
    acknowledgement_email as "acknowledgementEmail", name, statement, answered_at as "answeredAt"
  from withdrawals where result = 'not-found'`;

export interface UnmatchedQuery {
  readonly isAnswered: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** The oldest open one first, and the newest answered one. At most `MAX_COUNTED` are counted and listed. */
export async function listUnmatched(
  db: Db,
  { isAnswered, limit, offset }: UnmatchedQuery,
): Promise<{ readonly rows: readonly UnmatchedRow[]; readonly total: number; readonly hasMore: boolean }> {
  const state = sql`answered_at is ${isAnswered ? sql`not null` : sql`null`}`;
  const order = isAnswered ? sql`stated_at desc, id` : sql`stated_at, id`;
  const rows =
    offset >= MAX_COUNTED
      ? []
      : (
          await sql<UnmatchedRow>`
            ${SELECT_UNMATCHED} and ${state} order by ${order} limit ${limit} offset ${offset}
          `.execute(db)
        ).rows;
  const { rows: counted } = await sql<{ matching: number }>`
    select count(*)::integer as matching from (
      select from withdrawals where result = 'not-found' and ${state} limit ${MAX_COUNTED + 1}
    ) found
  `.execute(db);
  const matching = counted[0]?.matching ?? 0;
  return { rows, total: Math.min(matching, MAX_COUNTED), hasMore: matching > MAX_COUNTED };
}

/** Open ones, at most `MAX_COUNTED`. */
export async function countUnanswered(db: Db): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from (
      select from withdrawals where result = 'not-found' and answered_at is null limit ${MAX_COUNTED}
    ) found
  `.execute(db);
  return rows[0]?.open ?? 0;
}

export async function findUnmatched(db: Db, id: string): Promise<UnmatchedRow | null> {
  const { rows } = await sql<UnmatchedRow>`${SELECT_UNMATCHED} and id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** False if it was answered before. */
export async function markAnswered(tx: Db, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update withdrawals set answered_at = ${at}
    where id = ${id} and result = 'not-found' and answered_at is null returning id
  `.execute(tx);
  return rows.length > 0;
}
