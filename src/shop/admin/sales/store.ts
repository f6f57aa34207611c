/** Reads sales: paid orders at the time of payment. Read only. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { executeCancellable } from '#src/platform/database/cancellable.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import { NO_CENTS, NO_SATS } from '#src/shop/money.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import { soldStatuses } from './sale.ts';
import type { SalesGroup, UnitSpan } from './sales-period.ts';

const isSold = sql`orders.payment_status in (${createLiteralList<PaymentStatus>(soldStatuses)}) and orders.paid_at is not null`;
const paidCents = sql`paid_cents(orders.total_after_cents, orders.settled_sats, orders.due_sats)`;
const orderSats = sql`coalesce(orders.settled_sats, orders.due_sats)`;

/** From the first moment, inclusive, to the last, exclusive. */
export interface SalesSpan {
  readonly from: Date;
  readonly to: Date;
}

const isWithin = (column: RawBuilder<unknown>, { from, to }: SalesSpan) =>
  sql`${column} >= ${from}::timestamptz and ${column} < ${to}::timestamptz`;
const toStarts = (spans: readonly UnitSpan[]) => sql`${spans.map(({ start }) => start)}::text[]`;
const toMoments = (moments: readonly Date[]) => sql`${moments}::timestamptz[]`;

export interface SoldRow {
  readonly start: string;
  readonly orders: number;
  /** Part of the totals that staff waived. */
  readonly waivedCents: Cents;
  readonly cents: Cents;
  readonly sats: Sats;
}

/** Sales by the first day of their unit; units without sales are left out. */
export async function listSold(db: Db, spans: readonly UnitSpan[]): Promise<readonly SoldRow[]> {
  // One scan of the index for each unit: faster than to compute the unit of each order, and to sort by it.
  const { rows } = await sql<SoldRow>`
    select span.start, sold.* from
      unnest(${toStarts(spans)}, ${toMoments(spans.map(({ from }) => from))}, ${toMoments(spans.map(({ to }) => to))})
        as span (start, since, until)
    cross join lateral (
      select count(*)::integer as orders, sum(${paidCents})::bigint as cents, sum(${orderSats})::bigint as sats,
        sum(orders.total_after_cents - ${paidCents})::bigint as "waivedCents"
      from orders where ${isSold} and orders.paid_at >= span.since and orders.paid_at < span.until
    ) sold
    where sold.orders > 0 order by span.start`.execute(db);
  return rows;
}

/** What confirmed refunds of sales returned, by the unit in which they were made. */
export async function listRefunded(db: Db, spans: readonly UnitSpan[]): Promise<readonly SoldRow[]> {
  const [first, last] = [spans.at(0), spans.at(-1)];
  if (!first || !last) return [];
  // "offset 0" looks up the order of each refund by its key instead of reading all orders.
  const refunds = sql<SoldRow>`
    select (${toStarts(spans)})[width_bucket(refund.made_at, ${toMoments(spans.map(({ from }) => from))})] as start,
      count(*)::integer as orders, sum(refund.counted_cents)::bigint as cents, sum(refund.counted_sats)::bigint as sats,
      0::bigint as "waivedCents"
    from refunds refund
    cross join lateral (select from orders where orders.id = refund.order_id and ${isSold} offset 0) sale
    where refund.state = 'confirmed' and refund.covers <> 'surplus' and refund.counted_cents is not null
      and ${isWithin(sql`refund.made_at`, { from: first.from, to: last.to })}
    group by 1 order by 1`;
  return (await refunds.execute(db)).rows;
}

/** When the first order was paid; null without one. */
export async function readFirstSale(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`
    select paid_at as at from orders where ${isSold} order by paid_at limit 1`.execute(db);
  return rows[0]?.at ?? null;
}

export interface GroupRow {
  /** Null: none. */
  readonly key: string | null;
  /** Null for countries and promotions. */
  readonly name: string | null;
  /** Null for products and categories: an order may have several. */
  readonly orders: number | null;
  /** Null for countries and promotions. */
  readonly units: number | null;
  readonly cents: Cents;
  readonly sats: Sats;
}

const groupOrders = (key: RawBuilder<unknown>, span: SalesSpan) => sql`
  select ${key} as key, count(*)::integer as orders, null::integer as units,
    sum(${paidCents})::bigint as cents, sum(${orderSats})::bigint as sats
  from orders where ${isSold} and ${isWithin(sql`orders.paid_at`, span)} group by 1`;

/** Lines by product. */
const groupLines = (span: SalesSpan) => sql`
  select line.product_id, sum(line.quantity)::integer as units, sum(line.revenue_cents)::bigint as cents,
    sum(line.revenue_sats)::bigint as sats
  from sale_lines line where ${isWithin(sql`line.sold_at`, span)} group by 1`;

const GROUPS: Readonly<Record<SalesGroup, (span: SalesSpan) => RawBuilder<unknown>>> = {
  product: (span) => sql`
    select sold.product_id::text as key, null::integer as orders, sold.units, sold.cents, sold.sats
    from (${groupLines(span)}) sold`,
  category: (span) => sql`
    select products.category_id::text as key, null::integer as orders, sum(sold.units)::integer as units,
      sum(sold.cents)::bigint as cents, sum(sold.sats)::bigint as sats
    from (${groupLines(span)}) sold join products on products.id = sold.product_id group by products.category_id`,
  country: (span) => groupOrders(sql`orders.billing ->> 'country'`, span),
  promotion: (span) => groupOrders(sql`orders.promo ->> 'code'`, span),
};

/** Looked up for groups that are returned, once each. */
const NAMES: Readonly<Record<SalesGroup, RawBuilder<unknown>>> = {
  product: sql`(select name from products where id = shown.key::uuid)`,
  category: sql`(select name from categories where id = shown.key::uuid)`,
  country: sql`null::text`,
  promotion: sql`null::text`,
};

const HIGHEST_FIRST = sql`cents desc, sats desc, key nulls last`;

/** All groups, highest revenue first. @param signal stops the query */
export const listGroups = (
  db: Db,
  span: SalesSpan,
  group: SalesGroup,
  signal?: AbortSignal,
): Promise<readonly GroupRow[]> =>
  executeCancellable(
    db,
    sql<GroupRow>`
      select shown.*, ${NAMES[group]} as name from (${GROUPS[group](span)}) shown order by ${HIGHEST_FIRST}`,
    signal,
  );

export interface HighestGroups {
  /** Highest revenue first. */
  readonly rows: readonly GroupRow[];
  /** Number and revenue of all groups. */
  readonly groups: number;
  readonly cents: Cents;
  readonly sats: Sats;
}

/** The groups with the highest revenue, and the sums of all. */
export async function readHighestGroups(
  db: Db,
  span: SalesSpan,
  group: SalesGroup,
  limit: number,
): Promise<HighestGroups> {
  const { rows } = await sql<GroupRow & { readonly groups: number; readonly allCents: Cents; readonly allSats: Sats }>`
    with grouped as materialized (${GROUPS[group](span)}),
    shown as (select * from grouped order by ${HIGHEST_FIRST} limit ${limit})
    select shown.*, ${NAMES[group]} as name, total.* from shown cross join (
      select count(*)::integer as groups, sum(cents)::bigint as "allCents", sum(sats)::bigint as "allSats" from grouped
    ) total
    order by ${HIGHEST_FIRST}`.execute(db);
  const { groups = 0, allCents = NO_CENTS, allSats = NO_SATS } = rows[0] ?? {};
  return { rows, groups, cents: allCents, sats: allSats };
}
