/** Shipments with their lines, and the lines of orders to ship. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import type { LineValue } from '../stored-order.ts';
import type { LineToShip, ShippedUnits } from './select-shipment.ts';

export interface NewShipment {
  readonly orderId: string;
  readonly number: number;
  readonly shippedAt: Date;
  /** The account of the member of staff; null for a command. */
  readonly shippedBy: string | null;
  readonly carrierName: string | null;
  readonly trackingNumber: string | null;
  readonly trackingUrl: string | null;
  readonly units: readonly ShippedUnits[];
}

export interface Shipment {
  readonly id: string;
  readonly order_id: string;
  readonly number: number;
  readonly shipped_at: Date;
  readonly carrier_name: string | null;
  readonly tracking_number: string | null;
  readonly tracking_url: string | null;
  /** By position. */
  readonly units: readonly ShippedUnits[];
}

export interface OrderLineToShip extends LineToShip {
  readonly order_id: string;
  readonly name: string;
  readonly sku: string | null;
  readonly property_values: readonly LineValue[];
}

/**
 * Inserts a shipment and counts its units as shipped; returns its id. The caller holds the lock of the
 * order.
 */
export async function insertShipment(tx: Db, shipment: NewShipment): Promise<string> {
  const id = uuidv7();
  const { orderId, units } = shipment;
  const positions = units.map(({ position }) => position);
  const quantities = units.map(({ quantity }) => quantity);
  await sql`
    insert into shipments (id, order_id, number, shipped_at, shipped_by, carrier_name, tracking_number, tracking_url)
    values (${id}, ${orderId}, ${shipment.number}, ${shipment.shippedAt}, ${shipment.shippedBy},
      ${shipment.carrierName}, ${shipment.trackingNumber}, ${shipment.trackingUrl})
  `.execute(tx);
  await sql`
    insert into shipment_lines (shipment_id, order_id, position, quantity)
    select ${id}::uuid, ${orderId}::uuid, position, quantity
    from unnest(${positions}::integer[], ${quantities}::integer[]) as sent (position, quantity)
  `.execute(tx);
  // Constraints keep the sum of shipped and refunded units at the ordered quantity or below.
  await sql`
    update order_lines line set shipped_quantity = shipped_quantity + sent.quantity
    from unnest(${positions}::integer[], ${quantities}::integer[]) as sent (position, quantity)
    where line.order_id = ${orderId} and line.position = sent.position
  `.execute(tx);
  return id;
}

/** Oldest first. */
export async function listShipments(db: Db, orderIds: readonly string[]): Promise<readonly Shipment[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<Shipment>`
    select id, order_id, number, shipped_at, carrier_name, tracking_number, tracking_url,
      (select coalesce(jsonb_agg(jsonb_build_object('position', position, 'quantity', quantity) order by position), '[]')
        from shipment_lines where shipment_id = shipments.id) as units
    from shipments where order_id = any(${orderIds}::uuid[]) order by order_id, number
  `.execute(db);
  return rows;
}

/** In the order of the cart. */
export async function listLinesToShip(db: Db, orderIds: readonly string[]): Promise<readonly OrderLineToShip[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<OrderLineToShip>`
    select order_id, position, quantity, shipped_quantity, refunded_unshipped_quantity, name, sku, property_values
    from order_lines where order_id = any(${orderIds}::uuid[]) order by order_id, position
  `.execute(db);
  return rows;
}

/** Removes what carriers know of the buyer. */
export async function anonymiseShipments(tx: Db, userId: string): Promise<void> {
  await sql`
    update shipments set tracking_number = null, tracking_url = null
    from orders where orders.id = shipments.order_id and orders.user_id = ${userId}
  `.execute(tx);
  await sql`update orders set tracking_reference = null where user_id = ${userId}`.execute(tx);
}
