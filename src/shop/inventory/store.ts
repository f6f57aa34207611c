import { sql } from 'kysely';
import { compileOnce } from '#src/platform/database/compile-once.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Shortage } from './format-shortage.ts';
import { isOverCap, isScarce } from './reservation.ts';
import type { StockQuantity } from './adjustments/stock-quantity.ts';
import type { ReservationResult, ReservationRequest, ReservationTerms } from './reservation.ts';

/** The available stock of variants whose stock is tracked. */
export async function countAvailable(db: Db, variantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<Shortage>`
    select variant_id as "variantId", available from variant_stock where variant_id = any(${variantIds}::uuid[])
  `.execute(db);
  return new Map(rows.map(({ variantId, available }) => [variantId, available]));
}

/** A quantity of a variant whose stock is tracked. */
interface LimitedQuantity {
  readonly variantId: string;
  readonly quantity: number;
}

/** Quantities summed by variant, for a `from` clause. */
const toQuantityRows = (quantities: readonly StockQuantity[]) => sql`(
  select variant_id, sum(quantity)::integer as quantity
  from unnest(
    ${quantities.map(({ variantId }) => variantId)}::uuid[], ${quantities.map(({ quantity }) => quantity)}::integer[]
  ) as requested (variant_id, quantity)
  where variant_id is not null
  group by variant_id
)`;

const lockVariants = compileOnce(
  (_db, { variantIds }: { readonly variantIds: readonly string[] }) => sql<Shortage>`
    select variant_id as "variantId", available from variant_stock
    where variant_id = any(${variantIds}::uuid[])
    order by variant_id
    for no key update
  `,
);

/** Locks in ascending variant id to prevent deadlocks. The stock of variants without a row is not tracked. */
async function lockStock(
  db: Db,
  quantities: readonly StockQuantity[],
): Promise<readonly (Shortage & LimitedQuantity)[]> {
  const requested = new Map<string, number>();
  for (const { variantId, quantity } of quantities) {
    if (variantId !== null) requested.set(variantId, (requested.get(variantId) ?? 0) + quantity);
  }
  const { rows } = await lockVariants(db, { variantIds: [...requested.keys()] });
  return rows.map((row) => ({ ...row, quantity: requested.get(row.variantId) ?? 0 }));
}

/** Part of a statement that takes stock as `taken`: records what it sold out. */
const recordSoldOut = sql`
  insert into stock_changes (variant_id) select variant_id from taken where available <= 0 and available + quantity > 0
`;

const listShortages = (limited: readonly (Shortage & LimitedQuantity)[]): readonly Shortage[] =>
  limited
    .filter(({ available, quantity }) => available < quantity)
    .map(({ variantId, available }) => ({ variantId, available }));

/** Reserves everything or nothing; returns the variants with too little stock. */
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
      update variant_stock stock set available = stock.available - requested.quantity
      from ${toQuantityRows(limited)} requested
      where stock.variant_id = requested.variant_id and stock.available >= requested.quantity
      returning stock.variant_id, stock.available, requested.quantity
    ),
    sold_out as (${recordSoldOut})
    insert into stock_holds (order_id, variant_id, quantity) select ${orderId}::uuid, variant_id, quantity from taken
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
  readonly limited: readonly LimitedQuantity[];
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
        and (select count(*) <= ${terms.network.variants} from (
          select variant_id from stock_holds where network = ${network} and not is_secured
          union select variant_id from requested
        ) variants)`;
  const { rows } = await sql<{ available: number; unpaid: number }>`
    with requested as (select * from ${toQuantityRows(limited)} requested),
    cap as (select ${isWithinCap} as is_met),
    taken as (
      update variant_stock stock set available = stock.available - requested.quantity
      from requested, cap
      where cap.is_met and stock.variant_id = requested.variant_id and stock.available >= requested.quantity
      returning stock.variant_id, stock.available, requested.quantity
    ),
    reserved as (
      insert into stock_holds (order_id, variant_id, quantity, network, is_secured)
      select ${orderId}::uuid, variant_id, quantity, ${network}::text, ${isSecured}::boolean from taken
    ),
    sold_out as (${recordSoldOut})
    select available, quantity + (
      select coalesce(sum(hold.quantity), 0)::integer from stock_holds hold
      where hold.variant_id = taken.variant_id and not hold.is_secured
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

const deleteHolds = compileOnce(
  (_db, { orderIds }: { readonly orderIds: readonly string[] }) => sql<LimitedQuantity & { readonly orderId: string }>`
    delete from stock_holds where order_id = any(${orderIds}::uuid[])
    returning order_id as "orderId", variant_id as "variantId", quantity
  `,
);

/** Idempotent. Returns the quantities that were reserved. */
export async function deleteReservations(
  db: Db,
  orderIds: readonly string[],
): Promise<readonly (LimitedQuantity & { readonly orderId: string })[]> {
  return (await deleteHolds(db, { orderIds })).rows;
}

/** Stock that is not tracked stays untracked. */
export async function addAvailable(db: Db, quantities: readonly StockQuantity[]): Promise<void> {
  const limited = await lockStock(db, quantities);
  if (limited.length === 0) return;
  await sql`
    with added as (
      update variant_stock stock set available = stock.available + requested.quantity
      from ${toQuantityRows(limited)} requested where stock.variant_id = requested.variant_id
      returning stock.variant_id, stock.available, requested.quantity
    )
    insert into stock_changes (variant_id)
    select variant_id from added where available > 0 and available <= quantity
  `.execute(db);
}

/** Takes stock, also more than is available; returns the variants with too little of it. */
export async function takeAvailable(db: Db, quantities: readonly StockQuantity[]): Promise<readonly Shortage[]> {
  const limited = await lockStock(db, quantities);
  if (limited.length === 0) return [];
  await sql`
    with taken as (
      update variant_stock stock set available = stock.available - requested.quantity
      from ${toQuantityRows(limited)} requested where stock.variant_id = requested.variant_id
      returning stock.variant_id, stock.available, requested.quantity
    )
    ${recordSoldOut}
  `.execute(db);
  return listShortages(limited);
}

/** The reserved stock of an order. */
export interface OrderReservation {
  readonly orderId: string;
  readonly network: string | null;
  /** Most of the amount was seen, for every item. */
  readonly isSecured: boolean;
  /** `available`: what is left to order; null if the stock is no longer tracked. */
  readonly items: readonly {
    readonly variantId: string;
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
      jsonb_agg(jsonb_build_object('variantId', hold.variant_id, 'quantity', hold.quantity, 'available', stock.available))
        as items
    from stock_holds hold
    left join variant_stock stock on stock.variant_id = hold.variant_id
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
  readonly variantId: string;
  readonly available: number;
  readonly reserved: number;
}

/** Every variant whose stock is tracked. */
export async function listStock(db: Db): Promise<readonly StockLevel[]> {
  const { rows } = await sql<StockLevel>`
    select stock.variant_id as "variantId", stock.available,
      (select coalesce(sum(quantity), 0)::integer from stock_holds hold where hold.variant_id = stock.variant_id)
        as reserved
    from variant_stock stock order by stock.variant_id
  `.execute(db);
  return rows;
}

/** Position in `stock_changes`: every change that is not visible yet has at least this transaction id. */
export interface StockPosition {
  readonly transactionId: string;
  /** Visible changes from this transaction on. */
  readonly changes: number;
}

const FIRST_TRANSACTION = '0';

/** Variants that were sold out or became available after a position, and the next position. */
export async function readStockChanges(
  db: Db,
  since: StockPosition | null,
): Promise<{ readonly next: StockPosition; readonly changedIds: readonly string[] }> {
  const { rows } = await sql<{ transactionId: string; changes: number; sinceChanges: number }>`
    with present as (select pg_snapshot_xmin(pg_current_snapshot()) as oldest)
    select oldest::text as "transactionId",
      (select count(*)::integer from stock_changes where changed_by >= oldest) as changes,
      (select count(*)::integer from stock_changes
        where changed_by >= ${since?.transactionId ?? FIRST_TRANSACTION}::xid8) as "sinceChanges"
    from present
  `.execute(db);
  const { transactionId = FIRST_TRANSACTION, changes = 0, sinceChanges = 0 } = rows[0] ?? {};
  const next = { transactionId, changes };
  if (since === null || sinceChanges <= since.changes) return { next, changedIds: [] };
  const { rows: changed } = await sql<{ id: string }>`
    select distinct variant_id as id from stock_changes where changed_by >= ${since.transactionId}::xid8
  `.execute(db);
  return { next, changedIds: changed.map(({ id }) => id) };
}

export async function deleteStockChanges(db: Db, until: Date): Promise<void> {
  await sql`delete from stock_changes where changed_at < ${until}`.execute(db);
}
