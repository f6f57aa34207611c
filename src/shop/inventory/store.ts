import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { Shortage } from './format-shortage.ts';
import { isOverCap, isScarce } from './reservation.ts';
import type { ReservationResult, ReservationRequest, ReservationTerms, StockQuantity } from './reservation.ts';

/** The available stock of products whose stock is limited. */
export async function countAvailable(db: Db, productIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<Shortage>`
    select product_id as "productId", available from product_stock where product_id = any(${productIds}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ productId, available }) => [productId, available]));
}

/** Quantities summed by product, for a `from` clause. */
const toQuantityRows = (quantities: readonly StockQuantity[]) => sql`(
  select product_id, sum(quantity)::integer as quantity
  from unnest(
    ${quantities.map(({ productId }) => productId)}::uuid[], ${quantities.map(({ quantity }) => quantity)}::integer[]
  ) as requested (product_id, quantity)
  group by product_id
)`;

/** Locks in ascending product id to prevent deadlocks. Products without a row have unlimited stock. */
async function lockStock(db: Db, quantities: readonly StockQuantity[]): Promise<readonly (Shortage & StockQuantity)[]> {
  const { rows } = await sql<Shortage & StockQuantity>`
    select stock.product_id as "productId", stock.available, requested.quantity
    from product_stock stock join ${toQuantityRows(quantities)} requested on requested.product_id = stock.product_id
    order by stock.product_id
    for no key update of stock
  `.execute(db);
  return rows;
}

const listShortages = (limited: readonly (Shortage & StockQuantity)[]): readonly Shortage[] =>
  limited
    .filter(({ available, quantity }) => available < quantity)
    .map(({ productId, available }) => ({ productId, available }));

/** Reserves everything or nothing; returns the products with too little stock. */
export async function reserveUncapped(
  db: Db,
  orderId: string,
  quantities: readonly StockQuantity[],
): Promise<readonly Shortage[]> {
  const limited = await lockStock(db, quantities);
  const shortages = listShortages(limited);
  if (shortages.length > 0 || limited.length === 0) return shortages;
  await sql`
    with taken as (
      update product_stock stock set available = stock.available - requested.quantity
      from ${toQuantityRows(limited)} requested
      where stock.product_id = requested.product_id and stock.available >= requested.quantity
      returning stock.product_id, requested.quantity
    )
    insert into stock_holds (order_id, product_id, quantity) select ${orderId}::uuid, product_id, quantity from taken
  `.execute(db);
  return [];
}

/**
 * Reserves everything or nothing, within the caps. The caller holds the lock on the network's row of
 * `quote_counts`, which serializes the reservations of one network.
 */
export async function reserve(db: Db, request: ReservationRequest): Promise<ReservationResult> {
  const { orderId, lines, network, isSecured } = request;
  const limited = await lockStock(db, lines);
  const terms = await request.terms;
  const short = listShortages(limited);
  if (short.length > 0) return { ok: false, reason: 'sold-out', short };
  if (limited.length === 0) return { ok: true, isScarce: false };
  const quantities = limited.map(({ quantity }) => quantity);
  if (terms !== null && isOverCap(quantities, terms.account))
    return { ok: false, reason: 'reserve-limit', of: 'account' };
  const reserved = await takeStock(db, { orderId, network, isSecured, limited, terms });
  if (reserved.length === 0) return { ok: false, reason: 'reserve-limit', of: 'network' };
  return { ok: true, isScarce: terms !== null && !isSecured && reserved.some(isScarce) };
}

interface TakeStockRequest extends Pick<ReservationRequest, 'orderId' | 'network' | 'isSecured'> {
  readonly limited: readonly StockQuantity[];
  readonly terms: ReservationTerms | null;
}

/**
 * Takes the stock unless the network's unpaid reservations would exceed their cap: then it returns no rows.
 * A row holds what is available afterwards and the quantity that orders without a payment reserve.
 */
async function takeStock(db: Db, { orderId, network, isSecured, limited, terms }: TakeStockRequest) {
  const total = limited.reduce((sum, { quantity }) => sum + quantity, 0);
  const isWithinCap =
    terms === null || network === null || isSecured
      ? sql`true`
      : sql`(select coalesce(sum(quantity), 0) + ${total} <= ${terms.network.units}
          from stock_holds where network = ${network} and not is_secured)
        and (select count(*) <= ${terms.network.products} from (
          select product_id from stock_holds where network = ${network} and not is_secured
          union select product_id from requested
        ) products)`;
  const { rows } = await sql<{ available: number; unpaid: number }>`
    with requested as (select * from ${toQuantityRows(limited)} requested),
    cap as (select ${isWithinCap} as is_met),
    taken as (
      update product_stock stock set available = stock.available - requested.quantity
      from requested, cap
      where cap.is_met and stock.product_id = requested.product_id and stock.available >= requested.quantity
      returning stock.product_id, stock.available, requested.quantity
    ),
    reserved as (
      insert into stock_holds (order_id, product_id, quantity, network, is_secured)
      select ${orderId}::uuid, product_id, quantity, ${network}::text, ${isSecured}::boolean from taken
    )
    select available, quantity + (
      select coalesce(sum(hold.quantity), 0)::integer from stock_holds hold
      where hold.product_id = taken.product_id and not hold.is_secured
    ) as unpaid from taken
  `.execute(db);
  return rows;
}

/** Marks the reservations of these orders as secured by a payment. */
export async function secureReservations(db: Db, orderIds: readonly string[]): Promise<void> {
  await sql`update stock_holds set is_secured = true
    where order_id = any(${orderIds}::uuid[]) and not is_secured`.execute(db);
}

export async function hasReservation(db: Db, orderId: string): Promise<boolean> {
  return (await sql`select from stock_holds where order_id = ${orderId} limit 1`.execute(db)).rows.length > 0;
}

/** Idempotent. Returns the quantities that were reserved. */
export async function deleteReservations(db: Db, orderIds: readonly string[]): Promise<readonly StockQuantity[]> {
  const { rows } = await sql<StockQuantity>`
    delete from stock_holds where order_id = any(${orderIds}::uuid[]) returning product_id as "productId", quantity
  `.execute(db);
  return rows;
}

/** Products with unlimited stock stay unlimited. */
export async function addAvailable(db: Db, quantities: readonly StockQuantity[]): Promise<void> {
  const limited = await lockStock(db, quantities);
  if (limited.length === 0) return;
  await sql`
    update product_stock stock set available = stock.available + requested.quantity
    from ${toQuantityRows(limited)} requested where stock.product_id = requested.product_id
  `.execute(db);
}

/** The reserved stock of an order. */
export interface OrderReservation {
  readonly orderId: string;
  readonly network: string | null;
  /** Most of the amount was seen, for every item. */
  readonly isSecured: boolean;
  /** `available`: what is left to order; null if the stock is no longer limited. */
  readonly items: readonly {
    readonly productId: string;
    readonly quantity: number;
    readonly available: number | null;
  }[];
}

/** Orders with reserved stock, the newest first, with their total number. */
export async function listReservations(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly OrderReservation[]; readonly total: number }> {
  const { rows } = await sql<OrderReservation>`
    select hold.order_id as "orderId", max(hold.network) as network, bool_and(hold.is_secured) as "isSecured",
      jsonb_agg(jsonb_build_object('productId', hold.product_id, 'quantity', hold.quantity, 'available', stock.available))
        as items
    from stock_holds hold
    left join product_stock stock on stock.product_id = hold.product_id
    where hold.order_id in (
      select distinct order_id from stock_holds order by order_id desc limit ${limit} offset ${offset}
    )
    group by hold.order_id order by hold.order_id desc
  `.execute(db);
  const counted = await sql<{ total: number }>`select count(distinct order_id)::int as total from stock_holds`.execute(
    db,
  );
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

export interface StockLevel {
  readonly productId: string;
  readonly available: number;
  readonly reserved: number;
}

/** Every product with limited stock. */
export async function listStock(db: Db): Promise<readonly StockLevel[]> {
  const { rows } = await sql<StockLevel>`
    select stock.product_id as "productId", stock.available,
      (select coalesce(sum(quantity), 0)::integer from stock_holds hold where hold.product_id = stock.product_id)
        as reserved
    from product_stock stock order by stock.product_id
  `.execute(db);
  return rows;
}

export async function setAvailable(db: Db, productId: string, available: number): Promise<void> {
  await sql`
    insert into product_stock (product_id, available) values (${productId}, ${available})
    on conflict (product_id) do update set available = excluded.available
  `.execute(db);
}

export async function removeLimit(db: Db, productId: string): Promise<void> {
  await sql`delete from product_stock where product_id = ${productId}`.execute(db);
}
