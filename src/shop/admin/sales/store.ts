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
  /** Units whose cost is known, what they brought and what they cost; 0 for countries and promotions. */
  readonly costedUnits: number;
  readonly goodsCents: Cents;
  readonly costCents: Cents;
}

const NOT_COSTED = sql`0 as "costedUnits", 0::bigint as "goodsCents", 0::bigint as "costCents"`;

const groupOrders = (key: RawBuilder<unknown>, span: SalesSpan) => sql`
  select ${key} as key, count(*)::integer as orders, null::integer as units,
    sum(${paidCents})::bigint as cents, sum(${orderSats})::bigint as sats, ${NOT_COSTED}
  from orders where ${isSold} and ${isWithin(sql`orders.paid_at`, span)} group by 1`;

/** Lines by product. */
const groupLines = (span: SalesSpan) => sql`
  select line.product_id, sum(line.quantity)::integer as units, sum(line.revenue_cents)::bigint as cents,
    sum(line.revenue_sats)::bigint as sats,
    coalesce(sum(line.quantity) filter (where line.cost_cents is not null), 0)::integer as "costedUnits",
    coalesce(sum(line.goods_cents), 0)::bigint as "goodsCents", coalesce(sum(line.cost_cents), 0)::bigint as "costCents"
  from sale_lines line where ${isWithin(sql`line.sold_at`, span)} group by 1`;

const GROUPS: Readonly<Record<SalesGroup, (span: SalesSpan) => RawBuilder<unknown>>> = {
  product: (span) => sql`
    select sold.product_id::text as key, null::integer as orders, sold.units, sold.cents, sold.sats,
      sold."costedUnits", sold."goodsCents", sold."costCents"
    from (${groupLines(span)}) sold`,
  category: (span) => sql`
    select products.category_id::text as key, null::integer as orders, sum(sold.units)::integer as units,
      sum(sold.cents)::bigint as cents, sum(sold.sats)::bigint as sats, sum(sold."costedUnits")::integer as "costedUnits",
      sum(sold."goodsCents")::bigint as "goodsCents", sum(sold."costCents")::bigint as "costCents"
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
  /** Number and sums of all groups. */
  readonly groups: number;
  readonly all: Omit<GroupRow, 'key' | 'name' | 'orders'>;
}

const NO_SALES: HighestGroups['all'] = {
  units: null,
  cents: NO_CENTS,
  sats: NO_SATS,
  costedUnits: 0,
  goodsCents: NO_CENTS,
  costCents: NO_CENTS,
};

type GroupSums = HighestGroups['all'];
type PrefixedSums = { readonly [Key in keyof GroupSums as `all ${Key}`]: GroupSums[Key] };

/** The groups with the highest revenue, and the sums of all, of the same moment. */
export async function readHighestGroups(
  db: Db,
  span: SalesSpan,
  group: SalesGroup,
  limit: number,
): Promise<HighestGroups> {
  const { rows } = await sql<GroupRow & PrefixedSums & { readonly groups: number }>`
    with grouped as materialized (${GROUPS[group](span)}),
    shown as (select * from grouped order by ${HIGHEST_FIRST} limit ${limit})
    select shown.*, ${NAMES[group]} as name, total.* from shown cross join (
      select count(*)::integer as groups, sum(units)::integer as "all units", sum(cents)::bigint as "all cents",
        sum(sats)::bigint as "all sats", sum("costedUnits")::integer as "all costedUnits",
        sum("goodsCents")::bigint as "all goodsCents", sum("costCents")::bigint as "all costCents"
      from grouped
    ) total
    order by ${HIGHEST_FIRST}`.execute(db);
  const [first] = rows;
  if (first === undefined) return { rows, groups: 0, all: NO_SALES };
  const all = {
    units: first['all units'],
    cents: first['all cents'],
    sats: first['all sats'],
    costedUnits: first['all costedUnits'],
    goodsCents: first['all goodsCents'],
    costCents: first['all costCents'],
  };
  return { rows, groups: first.groups, all };
}

export interface StockValueRow {
  /** Units on hand whose cost is known, of how many variants, and what they cost. */
  readonly units: number;
  readonly variants: number;
  readonly cents: Cents;
  /** Units on hand whose cost is unknown, and of how many variants. */
  readonly unknownUnits: number;
  readonly unknownVariants: number;
}

/** What the units on the shelf cost, of tracked variants. */
export async function readStockValue(db: Db): Promise<StockValueRow> {
  const { rows } = await sql<StockValueRow>`
    select count(cost)::integer as variants, (count(*) - count(cost))::integer as "unknownVariants",
      coalesce(sum(units) filter (where cost is not null), 0)::integer as units,
      coalesce(sum(units) filter (where cost is null), 0)::integer as "unknownUnits",
      coalesce(sum(units * cost), 0)::bigint as cents
    from (
      select stock.available + coalesce(held.units, 0) + coalesce(committed.quantity, 0) as units,
        cost.cost_cents as cost
      from variant_stock stock
      left join (select variant_id, sum(quantity) as units from stock_holds group by 1) held using (variant_id)
      left join committed_stock committed using (variant_id)
      left join variant_costs cost using (variant_id)
    ) on_hand
    where units > 0`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate returned no row');
  return row;
}
