/** Reads what events describe, in the transaction that records them. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { LineFacts, OrderFacts, RefundFacts, ShipmentFacts } from './show-order-payload.ts';

/** A row that belongs to an order. */
type Of<Facts> = Facts & { readonly order_id: string };

export async function readOrders(db: Db, ids: readonly string[]): Promise<readonly OrderFacts[]> {
  const { rows } = await sql<OrderFacts>`
    select id, number, payment_status, fulfilment_status, created_at, expires_at, paid_at,
      coalesce(billing ->> 'country', '') as country, total_cents, total_sats, total_after_cents, total_after_sats,
      shipping_cents, shipping_sats, added_tax_cents, added_tax_sats, deducted_tax_cents, deducted_tax_sats, tax, rate_cents_per_btc as rate, due_sats,
      recorded_received_sats as received_sats, required_confirmations, recorded_state as state,
      case when closed_as_loss_at is null then recorded_loss else 'closed' end as loss
    from orders where id = any(${ids}::uuid[])
  `.execute(db);
  return rows;
}

export async function readLines(db: Db, ids: readonly string[]): Promise<readonly Of<LineFacts>[]> {
  const { rows } = await sql<Of<LineFacts>>`
    select order_id, position, product_id, variant_id, sku, name, property_values, quantity, shipped_quantity,
      price_cents, price_sats, is_free
    from order_lines where order_id = any(${ids}::uuid[]) order by order_id, position
  `.execute(db);
  return rows;
}

export async function readRefunds(db: Db, ids: readonly string[]): Promise<readonly Of<RefundFacts>[]> {
  const { rows } = await sql<Of<RefundFacts>>`
    select id, order_id, covers, state, amount_sats, made_at, encode(txid, 'hex') as txid
    from refunds where order_id = any(${ids}::uuid[]) order by order_id, made_at, id
  `.execute(db);
  return rows;
}

/** Without tracking numbers, which are personal data. */
export async function readShipments(db: Db, ids: readonly string[]): Promise<readonly Of<ShipmentFacts>[]> {
  const { rows } = await sql<Of<ShipmentFacts>>`
    select order_id, number, shipped_at, carrier_name as carrier,
      (select coalesce(jsonb_agg(jsonb_build_object('position', position, 'quantity', quantity) order by position), '[]')
        from shipment_lines where shipment_id = shipments.id) as items
    from shipments where order_id = any(${ids}::uuid[]) and undone_at is null order by order_id, number
  `.execute(db);
  return rows;
}

export interface TicketSource {
  readonly id: string;
  readonly status: 'open' | 'in_progress' | 'closed';
  readonly created_at: Date;
  readonly closed_at: Date | null;
}

export async function readTicket(db: Db, id: string): Promise<TicketSource | null> {
  const { rows } = await sql<TicketSource>`
    select id, status, created_at, closed_at from tickets where id = ${id}
  `.execute(db);
  return rows[0] ?? null;
}

export interface StockChange {
  readonly id: bigint;
  readonly variantId: string;
  readonly kind: 'sold_out' | 'low' | 'back_in_stock';
  readonly available: number | null;
  readonly at: Date;
}

/** Whether changes of stock wait. Cheap enough for each poll. */
export async function hasStockChanges(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from webhook_stock_changes) as found
  `.execute(db);
  return rows[0]?.found === true;
}

/**
 * Takes the next changes of stock, the oldest of each variant, and deletes them in the transaction. Skips what another
 * process holds.
 */
export async function takeStockChanges(tx: Db, limit: number): Promise<readonly StockChange[]> {
  const { rows } = await sql<StockChange>`
    delete from webhook_stock_changes where id in (
      select id from webhook_stock_changes change where not exists (
        select from webhook_stock_changes earlier where earlier.variant_id = change.variant_id and earlier.id < change.id
      )
      order by id limit ${limit} for update skip locked
    )
    returning id, variant_id as "variantId", kind, available, changed_at as at
  `.execute(tx);
  return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
