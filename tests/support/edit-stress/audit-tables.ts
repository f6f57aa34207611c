/**
 * Records in the database itself, by triggers, what the edit stress test compares orders with: the
 * catalogue at the commit of each order, and each change of stock with its transaction.
 */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

/** A line of an order, with its product as stored at one moment. */
export interface AuditedLine {
  readonly line: {
    readonly product_id: string;
    readonly variant_id: string | null;
    readonly name: string;
    readonly property_values: readonly { readonly id: string }[];
    readonly quantity: number;
    readonly price_cents: number;
    readonly price_sats: number;
    readonly is_free: boolean;
  };
  readonly product: { readonly base_price_cents: number; readonly is_published: boolean };
  /** Increases in cents by value id. */
  readonly increases: Readonly<Record<string, number>>;
  readonly variant: {
    readonly id: string;
    readonly own_price_cents: number | null;
    readonly is_published: boolean;
    readonly property_value_ids: readonly string[];
  } | null;
  /** All of the product, also those that are not in force. */
  readonly sale_prices: readonly AuditedSalePrice[];
}

export interface AuditedSalePrice {
  readonly starts_at: string;
  readonly ends_at: string | null;
  /** Either a percentage, or the base price. */
  readonly discount_basis_points: number | null;
  readonly base_price_cents: number | null;
  /** In cents by variant id. */
  readonly own_prices: Readonly<Record<string, number>>;
}

export interface AuditedPromotion {
  readonly id: string;
  readonly code: string;
  readonly type: string;
  readonly discount_basis_points: number | null;
  readonly discount_cents: number | null;
  readonly gift_product_id: string | null;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly minimum_subtotal_cents: number | null;
  readonly max_uses: number | null;
  readonly max_uses_per_user: number | null;
  readonly is_active: boolean;
}

/** An order and all that its amounts depend on, from one snapshot. */
export interface AuditedOrder {
  readonly order: {
    readonly id: string;
    readonly user_id: string;
    readonly created_at: string;
    readonly total_cents: number;
    readonly total_sats: number;
    readonly total_after_cents: number;
    readonly total_after_sats: number;
    readonly due_sats: number;
    readonly rate_cents_per_btc: number;
    readonly promo: { readonly id: string } | null;
  };
  readonly lines: readonly AuditedLine[];
  /** Null without a promotion. */
  readonly promotion: AuditedPromotion | null;
  /** Uses of the promotion, this order's included. */
  readonly uses: number;
  readonly uses_by_buyer: number;
}

const STATEMENTS = [
  `create schema edit_stress`,
  `create table edit_stress.orders (
    order_id uuid, moment text, xid xid8 not null default pg_current_xact_id(),
    at timestamptz not null default clock_timestamp(), state jsonb not null, primary key (order_id, moment)
  )`,
  `create table edit_stress.versions (
    xid xid8 not null default pg_current_xact_id(), at timestamptz not null default clock_timestamp(),
    table_name text not null, id uuid not null, version integer not null
  )`,
  `create table edit_stress.stock (
    seq bigint generated always as identity primary key, xid xid8 not null default pg_current_xact_id(),
    variant_id uuid not null, before integer, after integer
  )`,
  `create table edit_stress.closed_orders (
    xid xid8 not null default pg_current_xact_id(), order_id uuid not null, payment_status text not null
  )`,
  `create table edit_stress.adjustments (
    xid xid8 not null default pg_current_xact_id(), variant_id uuid not null, request_key text
  )`,
  // One statement, so everything is from one snapshot.
  `create function edit_stress.read_order(placed uuid) returns jsonb language sql volatile as $$
    select jsonb_build_object(
      'order', to_jsonb(placed_order) - 'billing',
      'lines', (
        select jsonb_agg(jsonb_build_object(
          'line', to_jsonb(line),
          'product', to_jsonb(product) - 'description' - 'specifications',
          'increases', (
            select coalesce(jsonb_object_agg(value_id, increase_cents), '{}') from product_values
            where product_values.product_id = line.product_id
          ),
          'variant', (select to_jsonb(variant) from product_variants variant where variant.id = line.variant_id),
          'sale_prices', (
            select coalesce(jsonb_agg(to_jsonb(sale) || jsonb_build_object('own_prices', (
              select coalesce(jsonb_object_agg(variant_id, price_cents), '{}') from sale_variant_prices
              where sale_price_id = sale.id
            ))), '[]')
            from sale_prices sale where sale.product_id = line.product_id
          )
        ) order by line.position)
        from order_lines line join products product on product.id = line.product_id where line.order_id = placed
      ),
      'promotion', (select to_jsonb(promotion) from promotions promotion where id = (placed_order.promo ->> 'id')::uuid),
      'uses', (select count(*) from promotion_uses where promotion_id = (placed_order.promo ->> 'id')::uuid),
      'uses_by_buyer', (
        select count(*) from promotion_uses
        where promotion_id = (placed_order.promo ->> 'id')::uuid and user_id = placed_order.user_id
      )
    ) from orders placed_order where id = placed
  $$`,
  `create function edit_stress.record_order() returns trigger language plpgsql as $$ begin
    insert into edit_stress.orders (order_id, moment, state) values (new.id, tg_argv[0], edit_stress.read_order(new.id));
    return null;
  end $$`,
  `create function edit_stress.record_version() returns trigger language plpgsql as $$ begin
    insert into edit_stress.versions (table_name, id, version) values (tg_table_name, new.id, new.version);
    return null;
  end $$`,
  `create function edit_stress.record_stock() returns trigger language plpgsql as $$ begin
    insert into edit_stress.stock (variant_id, before, after)
    values (coalesce(new.variant_id, old.variant_id), old.available, new.available);
    return null;
  end $$`,
  `create function edit_stress.record_closed() returns trigger language plpgsql as $$ begin
    insert into edit_stress.closed_orders (order_id, payment_status) values (new.id, new.payment_status);
    return null;
  end $$`,
  `create function edit_stress.record_adjustment() returns trigger language plpgsql as $$ begin
    insert into edit_stress.adjustments (variant_id, request_key) values (new.variant_id, new.request_key);
    return null;
  end $$`,
  `create trigger edit_stress_read after insert on orders for each row
    execute function edit_stress.record_order('insert')`,
  // Deferred: runs at the end of the transaction, right before its commit.
  `create constraint trigger edit_stress_commit after insert on orders deferrable initially deferred for each row
    execute function edit_stress.record_order('commit')`,
  `create trigger edit_stress_product after insert or update on products for each row
    execute function edit_stress.record_version()`,
  `create trigger edit_stress_promotion after insert or update of version on promotions for each row
    execute function edit_stress.record_version()`,
  `create trigger edit_stress_sale_price after insert or update of version on sale_prices for each row
    execute function edit_stress.record_version()`,
  `create trigger edit_stress_stock after insert or update or delete on variant_stock for each row
    execute function edit_stress.record_stock()`,
  `create trigger edit_stress_closed after update on orders for each row
    when (new.payment_status in ('cancelled', 'expired') and old.payment_status <> new.payment_status)
    execute function edit_stress.record_closed()`,
  `create trigger edit_stress_adjustment after insert on stock_history for each row when (new.actor_id is not null)
    execute function edit_stress.record_adjustment()`,
];

export async function installAudit(db: Db): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

export interface OrderMoments {
  readonly orderId: string;
  /** When the order was inserted, after its prices were read. */
  readonly inserted: AuditedOrder;
  /** At its commit. */
  readonly committed: AuditedOrder;
  readonly milliseconds: number;
}

export async function readOrders(db: Db): Promise<readonly OrderMoments[]> {
  const { rows } = await sql<OrderMoments>`
    select read.order_id as "orderId", read.state as inserted, done.state as committed,
      (extract(epoch from done.at - read.at) * 1000)::float8 as milliseconds
    from edit_stress.orders read join edit_stress.orders done on done.order_id = read.order_id
    where read.moment = 'insert' and done.moment = 'commit'
    order by read.at
  `.execute(db);
  return rows;
}

/** What a transaction did to the stock of a variant, in the order in which it was locked. */
export interface StockMove {
  readonly variantId: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Units that an order of this transaction took. */
  readonly taken: number | null;
  /** Units of an order that was cancelled or expired in this transaction. */
  readonly released: number | null;
  /** Key of the staff request of this transaction. */
  readonly requestKey: string | null;
}

export async function readStockMoves(db: Db): Promise<readonly StockMove[]> {
  const { rows } = await sql<StockMove>`
    with moves as (
      select xid, variant_id, min(seq) as first, max(seq) as last from edit_stress.stock group by xid, variant_id
    )
    select moves.variant_id as "variantId", first.before, last.after,
      (
        select sum(line.quantity)::integer
        from edit_stress.orders placed join order_lines line on line.order_id = placed.order_id
        where placed.moment = 'insert' and placed.xid = moves.xid and line.variant_id = moves.variant_id
      ) as taken,
      (
        select sum(line.quantity)::integer
        from edit_stress.closed_orders closed join order_lines line on line.order_id = closed.order_id
        where closed.xid = moves.xid and line.variant_id = moves.variant_id
      ) as released,
      (
        select min(request_key) from edit_stress.adjustments change
        where change.xid = moves.xid and change.variant_id = moves.variant_id
      ) as "requestKey"
    from moves
    join edit_stress.stock first on first.seq = moves.first
    join edit_stress.stock last on last.seq = moves.last
    order by moves.last
  `.execute(db);
  return rows;
}

/** Versions of products, sale prices and promotions that were ever stored, as `id version`. */
export async function readVersions(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select distinct id || ' ' || version as key from edit_stress.versions
  `.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** How often each request of staff changed stock. */
export async function countAdjustments(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ key: string; count: number }>`
    select request_key as key, count(*)::integer as count from edit_stress.adjustments
    where request_key is not null group by request_key
  `.execute(db);
  return new Map(rows.map(({ key, count }) => [key, count]));
}

export interface VariantTotals {
  readonly variantId: string;
  readonly available: number;
  /** Units of orders that were neither cancelled nor expired. */
  readonly sold: number;
  /** Units that the shop counts as reserved or committed. */
  readonly promised: number;
}

export async function readVariantTotals(db: Db): Promise<readonly VariantTotals[]> {
  const { rows } = await sql<VariantTotals>`
    select variant_id as "variantId", available,
      (
        select coalesce(sum(line.quantity), 0)::integer from order_lines line join orders on orders.id = line.order_id
        join edit_stress.orders placed on placed.order_id = orders.id and placed.moment = 'insert'
        where line.variant_id = stock.variant_id and orders.payment_status not in ('cancelled', 'expired')
      ) as sold,
      (
        (select coalesce(sum(quantity), 0) from stock_holds where stock_holds.variant_id = stock.variant_id)
        + (select coalesce(sum(quantity), 0) from committed_stock where committed_stock.variant_id = stock.variant_id)
      )::integer as promised
    from variant_stock stock
  `.execute(db);
  return rows;
}
