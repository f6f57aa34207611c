/** Stock levels of variants, their changes by staff, and the history of both. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { getActorId } from '#src/shop/audit-log/actor.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import type { StockQuantity } from './stock-quantity.ts';
import { computeOnHand } from './plan-stock-change.ts';
import type { StockLevels, StockReason } from './plan-stock-change.ts';

export interface VariantLevels extends StockLevels {
  readonly variantId: string;
}

/** Locks the stock of those of these variants that are tracked, in ascending id. */
export async function lockStockOf(tx: Db, variantIds: readonly string[]): Promise<void> {
  await sql`
    select from variant_stock where variant_id = any(${variantIds}::uuid[]) order by variant_id for no key update
  `.execute(tx);
}

/** The levels of those of these variants that exist, from one snapshot. */
export async function readLevels(db: Db, variantIds: readonly string[]): Promise<readonly VariantLevels[]> {
  const { rows } = await sql<VariantLevels>`
    select variant.id as "variantId", stock.available,
      coalesce((select sum(hold.quantity) from stock_holds hold where hold.variant_id = variant.id), 0)::integer
        as reserved,
      coalesce(committed.quantity, 0) as committed
    from product_variants variant
    left join variant_stock stock on stock.variant_id = variant.id
    left join (select * from committed_stock where variant_id = any(${variantIds}::uuid[])) committed
      on committed.variant_id = variant.id
    where variant.id = any(${variantIds}::uuid[])
  `.execute(db);
  return rows;
}

/** Undefined without such a variant. */
export async function findSku(db: Db, variantId: string): Promise<string | undefined> {
  const { rows } = await sql<{ sku: string }>`select sku from product_variants where id = ${variantId}`.execute(db);
  return rows[0]?.sku;
}

/** Records, for processes that show it, that variants may be sold out now, or can be ordered again. */
export async function recordCrossings(tx: Db, variantIds: readonly string[]): Promise<void> {
  if (variantIds.length === 0) return;
  await sql`insert into stock_changes (variant_id) select unnest(${variantIds}::uuid[])`.execute(tx);
}

/** Starts tracking with nothing available. Returns the variants that were not tracked. */
export async function insertStock(tx: Db, variantIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ variantId: string }>`
    insert into variant_stock (variant_id, available)
    select variant_id, 0 from unnest(${variantIds}::uuid[]) variant_id order by variant_id
    on conflict (variant_id) do nothing
    returning variant_id as "variantId"
  `.execute(tx);
  await recordCrossings(
    tx,
    rows.map(({ variantId }) => variantId),
  );
  return rows.map(({ variantId }) => variantId);
}

export async function deleteStock(tx: Db, variantId: string): Promise<void> {
  await sql`delete from variant_stock where variant_id = ${variantId}`.execute(tx);
  await recordCrossings(tx, [variantId]);
}

/** False if the stock is not what the caller read. */
export async function replaceAvailable(tx: Db, variantId: string, before: number, after: number): Promise<boolean> {
  const { rows } = await sql`
    update variant_stock set available = ${after} where variant_id = ${variantId} and available = ${before}
    returning variant_id
  `.execute(tx);
  if (rows.length === 1 && before > 0 !== after > 0) await recordCrossings(tx, [variantId]);
  return rows.length === 1;
}

/** Reserves units of orders that were placed before a variant was tracked, without taking them from its stock. */
export async function insertReservations(tx: Db, ordered: readonly OrderedQuantity[]): Promise<void> {
  if (ordered.length === 0) return;
  await sql`
    insert into stock_holds (order_id, variant_id, quantity)
    select * from unnest(
      ${ordered.map(({ orderId }) => orderId)}::uuid[], ${ordered.map(({ variantId }) => variantId)}::uuid[],
      ${ordered.map(({ quantity }) => quantity)}::integer[]
    )
    on conflict (order_id, variant_id) do nothing
  `.execute(tx);
}

// ---- history

export interface HistoryEntry {
  readonly variantId: string;
  readonly at: Date;
  readonly reason: StockReason;
  readonly note: string | null;
  readonly by: Actor;
  readonly before: StockLevels;
  readonly after: StockLevels;
  /** Idempotency key of the request. */
  readonly requestKey: string | null;
}

/** Whether a member of staff already made this change. */
export async function hasRequest(tx: Db, userId: string, variantId: string, requestKey: string): Promise<boolean> {
  const { rows } = await sql`
    select id from stock_history
    where actor_id = ${userId} and variant_id = ${variantId} and request_key = ${requestKey}
  `.execute(tx);
  return rows.length > 0;
}

export async function insertHistory(tx: Db, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const list = <Value>(read: (entry: HistoryEntry) => Value) => entries.map(read);
  await sql`
    insert into stock_history (variant_id, at, reason, note, actor_id, source, available_before, available_after,
      on_hand_before, on_hand_after, request_key)
    select * from unnest(
      ${list(({ variantId }) => variantId)}::uuid[], ${list(({ at }) => at)}::timestamptz[],
      ${list(({ reason }) => reason)}::text[], ${list(({ note }) => note)}::text[],
      ${list(({ by }) => getActorId(by))}::uuid[],
      ${list(({ by }) => (by.kind === 'staff' ? null : 'command line'))}::text[],
      ${list(({ before }) => before.available)}::integer[], ${list(({ after }) => after.available)}::integer[],
      ${list(({ before }) => computeOnHand(before))}::integer[],
      ${list(({ after }) => computeOnHand(after))}::integer[], ${list(({ requestKey }) => requestKey)}::text[]
    )
  `.execute(tx);
}

/** A number of units of a variant in an order. */
export interface OrderedQuantity extends StockQuantity {
  readonly orderId: string;
}

/**
 * Records sold or restocked units of tracked variants. Sold units were taken from the available ones when they
 * were reserved, so they are part of `available_before` only.
 */
export async function insertOrderHistory(
  tx: Db,
  reason: 'sold' | 'restocked',
  quantities: readonly OrderedQuantity[],
  at: Date,
): Promise<void> {
  if (quantities.length === 0) return;
  const sign = reason === 'sold' ? 1 : -1;
  await sql`
    insert into stock_history (variant_id, at, reason, order_id, available_before, available_after)
    select stock.variant_id, ${at}, ${reason}, ordered.order_id, stock.available + ${sign} * sum(quantity)::integer,
      stock.available
    from unnest(
      ${quantities.map(({ orderId }) => orderId)}::uuid[], ${quantities.map(({ variantId }) => variantId)}::uuid[],
      ${quantities.map(({ quantity }) => quantity)}::integer[]
    ) as ordered (order_id, variant_id, quantity)
    join variant_stock stock on stock.variant_id = ordered.variant_id
    group by stock.variant_id, ordered.order_id, stock.available
    order by ordered.order_id, stock.variant_id
  `.execute(tx);
}
