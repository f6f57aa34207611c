/** Reads sales: paid orders at the time of payment. Read only. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createLiteralList } from '#src/platform/database/literal-list.ts';
import { PLANNED_EACH_TIME } from '#src/platform/database/prepared-statements.ts';
import type { Cents, Sats } from '#src/shop/money.ts';
import type { PaymentStatus } from '#src/shop/orders/kinds.ts';
import type { SalesGroup } from './contract.ts';
import { soldStatuses } from './sale.ts';
import { addDays } from './sales-period.ts';
import type { SalesPeriod, SalesUnit } from './sales-period.ts';

const isSold = sql`orders.payment_status in (${createLiteralList<PaymentStatus>(soldStatuses)}) and orders.paid_at is not null`;
const orderSats = sql`coalesce(orders.settled_sats, orders.due_sats)`;

const isWithin = (column: RawBuilder<unknown>, { from, to }: SalesPeriod) =>
  sql`${column} >= ${`${from}T00:00:00Z`}::timestamptz and ${column} < ${`${addDays(to, 1)}T00:00:00Z`}::timestamptz`;
const startOf = (unit: SalesUnit, column: RawBuilder<unknown>) =>
  sql`to_char(date_trunc(${sql.lit(unit)}, ${column} at time zone 'UTC'), 'YYYY-MM-DD')`;

export interface SoldRow {
  readonly start: string;
  readonly orders: number;
  readonly cents: Cents;
  readonly sats: Sats;
}

/** Sales by the first day of their unit; units without sales are left out. */
export async function listSold(db: Db, period: SalesPeriod, unit: SalesUnit): Promise<readonly SoldRow[]> {
  const { rows } = await sql<SoldRow>`
    ${sql.raw(PLANNED_EACH_TIME)}
    select ${startOf(unit, sql`orders.paid_at`)} as start, count(*)::integer as orders,
      sum(orders.total_after_cents)::bigint as cents, sum(${orderSats})::bigint as sats
    from orders where ${isSold} and ${isWithin(sql`orders.paid_at`, period)}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

/** Confirmed refunds of sales by the unit in which they were made. As `computeRefundedRevenue`. */
export async function listRefunded(db: Db, period: SalesPeriod, unit: SalesUnit): Promise<readonly SoldRow[]> {
  const { rows } = await sql<SoldRow>`
    ${sql.raw(PLANNED_EACH_TIME)}
    with affected as materialized (
      select distinct refunds.order_id from refunds
      where refunds.state = 'confirmed' and refunds.covers <> 'surplus' and ${isWithin(sql`refunds.made_at`, period)}
    ), summed as (
      select refunds.id, refunds.made_at, orders.total_after_cents as cents, ${orderSats} as sats,
        sum(refunds.debit_sats) over in_order as sent, refunds.debit_sats,
        orders.payment_status = 'refunded'
          and lead(refunds.id) over (partition by refunds.order_id order by refunds.made_at, refunds.id) is null as is_rest
      from affected join orders on orders.id = affected.order_id join refunds on refunds.order_id = orders.id
      where ${isSold} and refunds.state = 'confirmed' and refunds.covers <> 'surplus'
      window in_order as (partition by refunds.order_id order by refunds.made_at, refunds.id)
    ), counted as (
      select made_at,
        case when is_rest or sent >= sats then sats else sent end - least(sent - debit_sats, sats) as sats,
        case when is_rest or sent >= sats then cents else div(cents * sent, sats) end
          - case when sent - debit_sats >= sats then cents else div(cents * (sent - debit_sats), sats) end as cents
      from summed
    )
    select ${startOf(unit, sql`made_at`)} as start, count(*)::integer as orders, sum(cents)::bigint as cents,
      sum(sats)::bigint as sats
    from counted where ${isWithin(sql`made_at`, period)}
    group by 1 order by 1
  `.execute(db);
  return rows;
}

export interface GroupRow {
  /** Null: none. */
  readonly key: string | null;
  /** Null for countries and promotions. */
  readonly name: string | null;
  readonly orders: number;
  /** Null for countries and promotions. */
  readonly units: number | null;
  readonly cents: Cents;
  readonly sats: Sats;
}

const groupOrders = (key: RawBuilder<unknown>, period: SalesPeriod) => sql`
  select ${key} as key, null::text as name, count(*)::integer as orders, null::integer as units,
    sum(orders.total_after_cents)::bigint as cents, sum(${orderSats})::bigint as sats
  from orders where ${isSold} and ${isWithin(sql`orders.paid_at`, period)} group by 1`;

/** Lines first by product alone: names are looked up once each. */
const groupLines = (period: SalesPeriod) => sql`
  select line.product_id, count(distinct line.order_id)::integer as orders, sum(line.quantity)::integer as units,
    sum(line.revenue_cents)::bigint as cents, sum(line.revenue_sats)::bigint as sats
  from sale_lines line where ${isWithin(sql`line.sold_at`, period)} group by 1`;

const GROUPS: Readonly<Record<SalesGroup, (period: SalesPeriod) => RawBuilder<unknown>>> = {
  product: (period) => sql`
    select sold.product_id::text as key, products.name, sold.orders, sold.units, sold.cents, sold.sats
    from (${groupLines(period)}) sold join products on products.id = sold.product_id`,
  category: (period) => sql`
    select categories.id::text as key, categories.name, count(distinct line.order_id)::integer as orders,
      sum(line.quantity)::integer as units, sum(line.revenue_cents)::bigint as cents,
      sum(line.revenue_sats)::bigint as sats
    from sale_lines line join products on products.id = line.product_id
    join categories on categories.id = products.category_id
    where ${isWithin(sql`line.sold_at`, period)} group by categories.id`,
  country: (period) => groupOrders(sql`orders.billing ->> 'country'`, period),
  promotion: (period) => groupOrders(sql`orders.promo ->> 'code'`, period),
};

/** All groups, highest revenue first. */
export async function listGroups(db: Db, period: SalesPeriod, group: SalesGroup): Promise<readonly GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    ${sql.raw(PLANNED_EACH_TIME)}
    select * from (${GROUPS[group](period)}) grouped order by cents desc, sats desc, key nulls last
  `.execute(db);
  return rows;
}
