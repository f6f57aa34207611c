/** Shipments with their lines, and the lines of orders to ship. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Db } from '#src/platform/database/database.ts';
import type { SerialKind } from '#src/shop/catalogue/serial-kind.ts';
import type { LineValue } from '../stored-order.ts';
import { RETURNING_UNITS, STOPPED_UNITS } from '../status/stopped-units.store.ts';
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

/** The number of a shipped unit. */
export interface ShippedSerial {
  readonly number: string;
  readonly is_returned: boolean;
}

/** Units of a line in a parcel, with the numbers that are known. */
interface StoredUnits extends ShippedUnits {
  readonly serials: readonly ShippedSerial[];
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
  readonly units: readonly StoredUnits[];
}

export interface RecordedShipment extends Shipment {
  /** Null unless it was recorded by mistake. */
  readonly undone_at: Date | null;
}

export interface OrderLineToShip extends LineToShip {
  readonly order_id: string;
  readonly name: string;
  readonly sku: string | null;
  /** What its product asks for now. */
  readonly serial_kind: SerialKind;
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

const selectShipments = sql`
  select id, order_id, number, shipped_at, carrier_name, tracking_number, tracking_url, undone_at,
    (select coalesce(jsonb_agg(jsonb_build_object('position', position, 'quantity', quantity, 'serials', (
        select coalesce(jsonb_agg(jsonb_build_object('number', serial.number, 'is_returned', returned_at is not null)
          order by serial.number), '[]')
        from serial_numbers serial where serial.shipment_id = shipments.id and serial.position = shipped.position
      )) order by position), '[]')
      from shipment_lines shipped where shipment_id = shipments.id) as units
  from shipments`;

/** Without those that were undone, oldest first. */
export async function listShipments(db: Db, orderIds: readonly string[]): Promise<readonly Shipment[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<Shipment>`${selectShipments}
    where order_id = any(${orderIds}::uuid[]) and undone_at is null order by order_id, number
  `.execute(db);
  return rows;
}

/** With those that were undone, whose numbers are used up. Oldest first. */
export async function listAllShipments(db: Db, orderId: string): Promise<readonly RecordedShipment[]> {
  const { rows } = await sql<RecordedShipment>`${selectShipments} where order_id = ${orderId} order by number`.execute(
    db,
  );
  return rows;
}

/** The number of the next shipment of each order that has any. */
export async function findNextNumbers(db: Db, orderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ order_id: string; next: number }>`
    select order_id, max(number) + 1 as next from shipments where order_id = any(${orderIds}::uuid[]) group by order_id
  `.execute(db);
  return new Map(rows.map(({ order_id: id, next }) => [id, next]));
}

/** The caller holds the lock of the order. The order has the number of its newest shipment. */
export async function updateTracking(
  tx: Db,
  shipment: Pick<NewShipment, 'orderId' | 'carrierName' | 'trackingNumber' | 'trackingUrl'> & { readonly id: string },
): Promise<void> {
  const { carrierName, id, orderId, trackingNumber, trackingUrl } = shipment;
  await sql`
    update shipments set carrier_name = ${carrierName}, tracking_number = ${trackingNumber}, tracking_url = ${trackingUrl}
    where id = ${id}
  `.execute(tx);
  await sql`
    update orders set tracking_reference = ${trackingNumber}
    where id = ${orderId} and ${id}::uuid = (
      select id from shipments where order_id = orders.id and undone_at is null order by number desc limit 1)
  `.execute(tx);
}

/**
 * Counts the units of a shipment as not shipped, unless a refund of shipped units or a return has one of them. The
 * caller holds the lock of the order.
 */
export async function takeBackUnits(
  tx: Db,
  { order_id: orderId, units }: Shipment,
): Promise<'parcel-refunded' | 'parcel-returning' | null> {
  const sent = sql`unnest(${units.map(({ position }) => position)}::integer[],
    ${units.map(({ quantity }) => quantity)}::integer[]) as sent (position, quantity)`;
  const { rows } = await sql<{ isRefunded: boolean }>`
    select line.shipped_quantity - sent.quantity < line.refunded_shipped_quantity as "isRefunded"
    from order_lines line join ${sent} on sent.position = line.position
    where line.order_id = ${orderId}
      and line.shipped_quantity - sent.quantity < line.refunded_shipped_quantity + ${RETURNING_UNITS}
  `.execute(tx);
  if (rows.length > 0) return rows.some(({ isRefunded }) => isRefunded) ? 'parcel-refunded' : 'parcel-returning';
  await sql`
    update order_lines line set shipped_quantity = shipped_quantity - sent.quantity
    from ${sent} where line.order_id = ${orderId} and line.position = sent.position
  `.execute(tx);
  return null;
}

export async function markUndone(tx: Db, id: string, at: Date, by: string | null): Promise<void> {
  await sql`update shipments set undone_at = ${at}, undone_by = ${by} where id = ${id} and undone_at is null`.execute(
    tx,
  );
}

/** In the order of the cart. */
export async function listLinesToShip(db: Db, orderIds: readonly string[]): Promise<readonly OrderLineToShip[]> {
  if (orderIds.length === 0) return [];
  const { rows } = await sql<OrderLineToShip>`
    select order_id, order_lines.position, quantity, shipped_quantity, refunded_unshipped_quantity,
      ${STOPPED_UNITS} as withdrawn_quantity, order_lines.name, sku, property_values, serial_kind
    from order_lines join products on products.id = order_lines.product_id
    where order_id = any(${orderIds}::uuid[]) order by order_id, order_lines.position
  `.execute(db);
  return rows;
}

/** Removes what carriers know of the buyer. */
export async function anonymiseShipments(tx: Db, orderIds: readonly string[]): Promise<void> {
  await sql`
    update shipments set tracking_number = null, tracking_url = null where order_id = any(${orderIds}::uuid[])
  `.execute(tx);
  await sql`update orders set tracking_reference = null where id = any(${orderIds}::uuid[])`.execute(tx);
}
