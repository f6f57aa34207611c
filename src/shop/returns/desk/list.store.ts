/** The list of returns that staff see. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import { IS_OWED } from '../handling.store.ts';
import type { ReturnState } from '../kinds.ts';
import { IS_CREDIT_OWED, listReturns } from '../store.ts';
import type { ReturnRow } from '../store.ts';

export interface ReturnQuery {
  readonly view: 'waiting' | 'due' | 'open' | ReturnState | null;
  /** Reference in its standard form. */
  readonly reference: string | null;
  readonly orderNumbers: readonly string[];
  /** Something was typed. */
  readonly isSearch: boolean;
  /** Deadlines until then are near. */
  readonly dueBefore: Date;
  readonly limit: number;
  readonly offset: number;
}

export interface ListedRow {
  readonly row: ReturnRow;
  readonly number: bigint;
  readonly username: string;
}

function selectView({ dueBefore, view }: ReturnQuery): RawBuilder<unknown> {
  const due = sql`(refund_due_at <= ${dueBefore} and ${IS_OWED})`;
  if (view === null) return sql`true`;
  if (view === 'open') return sql`closed_at is null`;
  if (view === 'due')
    return sql`((closed_at is null and ${due}) or (refund_due_at <= ${dueBefore} and ${IS_CREDIT_OWED}))`;
  if (view === 'waiting') {
    const open = sql`(state in ('requested', 'received', 'inspected') or ${due})`;
    return sql`((closed_at is null and ${open}) or ${IS_CREDIT_OWED})`;
  }
  return sql`state = ${view}`;
}

/** Open ones first, by their deadline. */
export async function listQueue(
  db: Db,
  query: ReturnQuery,
): Promise<{ readonly rows: readonly ListedRow[]; readonly total: number; readonly hasMore: boolean }> {
  const { isSearch, limit, offset, orderNumbers, reference } = query;
  const found = isSearch
    ? sql`(reference = ${reference} or order_id in (select id from orders where number = any(${orderNumbers}::bigint[])))`
    : sql`true`;
  const order = sql`order by (closed_at is not null), coalesce(refund_due_at, requested_at), id`;
  const { rows } = await sql<{ id: string | null; number: bigint; username: string; matching: number }>`
    with found as materialized (
      select id, order_id, closed_at, refund_due_at, requested_at from returns
      where ${found} and ${selectView(query)} ${order} limit ${MAX_COUNTED + 1}
    ), page as (select * from found ${order} limit ${limit} offset ${offset})
    select page.id, orders.number, users.username, counted.matching
    from (select count(*)::integer as matching from found) counted
    left join (page join orders on orders.id = page.order_id join users on users.id = orders.user_id) on true
    order by (page.closed_at is not null), coalesce(page.refund_due_at, page.requested_at), page.id
  `.execute(db);
  const ids = rows.flatMap(({ id }) => id ?? []);
  const returns = new Map((await listReturns(db, ids)).map((row) => [row.id, row]));
  const matching = rows[0]?.matching ?? 0;
  return {
    rows: rows.flatMap(({ id, number, username }) => {
      const row = id === null ? undefined : returns.get(id);
      return row === undefined ? [] : [{ row, number, username }];
    }),
    total: Math.min(matching, MAX_COUNTED),
    hasMore: matching > MAX_COUNTED,
  };
}
