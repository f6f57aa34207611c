/** Reads customers for staff. Read only. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { MAX_COUNTED } from '#src/shop/counted-list.ts';
import type { Role } from '#src/shop/permissions.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

export interface CustomerFilter {
  /** Search text; empty for all. */
  readonly q: string;
  /** The folded search text. */
  readonly key: string;
  /** Order numbers that the search text may mean. */
  readonly orderNumbers: readonly string[];
  readonly show: 'blocked' | 'with-orders' | null;
  readonly sort: 'newest' | 'oldest' | 'name';
}

export interface CustomerRow {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: Date;
  readonly blocked_at: Date | null;
  readonly orders: number;
}

const ORDERS: Readonly<Record<CustomerFilter['sort'], RawBuilder<unknown>>> = {
  newest: sql`created_at desc, id desc`,
  oldest: sql`created_at, id`,
  name: sql`username_key, id`,
};

const SHOWN: Readonly<Record<NonNullable<CustomerFilter['show']>, RawBuilder<unknown>>> = {
  blocked: sql`blocked_at is not null`,
  'with-orders': sql`exists (select from orders where orders.user_id = users.id)`,
};

/** Accounts of the team are not listed, found or shown here: their addresses and sessions are those of colleagues. */
const IS_CUSTOMER = sql`deleted_at is null and role = 'customer'`;

/** Of a search or filter at most `MAX_COUNTED` are counted and listed. */
export async function listCustomers(
  db: Db,
  { q, key, orderNumbers, show, sort }: CustomerFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: CustomerRow[]; readonly total: number; readonly hasMore: boolean }> {
  const found = sql`(strpos(folded_username, ${key}) > 0 or strpos(folded_email, ${key}) > 0
    or id = any(array(select user_id from orders where number = any(${orderNumbers}::bigint[]))))`;
  const conditions = [...(q === '' ? [] : [found]), ...(show === null ? [] : [SHOWN[show]])];
  const isFiltered = conditions.length > 0;
  const max = isFiltered ? MAX_COUNTED : Number.MAX_SAFE_INTEGER;
  const selected = sql`
    select id, created_at, username_key from users
    where ${sql.join([IS_CUSTOMER, ...conditions], sql` and `)} order by ${ORDERS[sort]} limit ${max + 1}`;
  // A filter may read every account: rows and total then come from one scan. Otherwise an index gives the page.
  const { rows } = await sql<CustomerRow & { readonly matching: number | null }>`
    with found as ${isFiltered ? sql`materialized` : sql`not materialized`} (${selected})
    select id, username, email, role, created_at, blocked_at,
      (select count(*)::integer from orders where orders.user_id = users.id) as orders,
      ${isFiltered ? sql`(select count(*)::integer from found)` : sql`null::integer`} as matching
    from (
      select id as page_id from (select * from found order by ${ORDERS[sort]} limit ${max}) listed
      order by ${ORDERS[sort]} limit ${limit} offset ${offset}
    ) page
    join users on users.id = page.page_id
    order by ${ORDERS[sort]}`.execute(db);
  const matching = rows[0]?.matching ?? (await countRows(db, selected));
  return { rows, total: Math.min(matching, max), hasMore: matching > max };
}

async function countRows(db: Db, selected: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${selected}) selected`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface CustomerDetails extends CustomerRow {
  readonly is_email_confirmed: boolean;
  readonly paid_orders: number;
  readonly paid_usd: Cents;
  readonly open_tickets: number;
}

export async function findCustomer(db: Db, id: string): Promise<CustomerDetails | null> {
  const { rows } = await sql<Omit<CustomerDetails, 'paid_usd'> & { paid: bigint }>`
    select id, username, email, role, created_at, blocked_at, email_confirmed_at is not null as is_email_confirmed,
      totals.orders, totals.paid_orders, totals.paid,
      (select count(*)::integer from tickets where user_id = users.id and status <> 'closed') as open_tickets
    from users cross join lateral (
      select count(*)::integer as orders,
        count(*) filter (where payment_status = 'paid')::integer as paid_orders,
        coalesce(sum(greatest(paid_cents(total_after_cents, settled_sats, due_sats) - refunded_cents, 0))
          filter (where payment_status = 'paid'), 0)::bigint as paid
      from orders where orders.user_id = users.id
    ) totals
    where id = ${id} and ${IS_CUSTOMER}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { paid, ...customer } = row;
  return { ...customer, paid_usd: cents(paid) };
}
