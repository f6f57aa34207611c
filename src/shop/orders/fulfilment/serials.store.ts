/** Numbers of shipped units. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { executeCancellable } from '#src/platform/database/cancellable.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { LineValue } from '../stored-order.ts';

const BATCH_SIZE = 500;

export interface NewSerial extends LineOf {
  readonly shipmentId: string;
  readonly number: string;
}

/**
 * Stores numbers of parcels; returns those that are in another parcel and not returned, which are not stored. Waits for
 * a transaction that ships one of them. The caller holds the locks of the orders.
 */
export async function insertSerials(tx: Db, serials: readonly NewSerial[]): Promise<readonly string[]> {
  // In one order everywhere: two parcels with the same numbers do not wait for each other.
  const rows = serials.map((one) => ({ ...one, id: uuidv7() })).toSorted((a, b) => (a.number < b.number ? -1 : 1));
  if (rows.length === 0) return [];
  const { rows: stored } = await sql<{ number: string }>`
    insert into serial_numbers (id, shipment_id, order_id, position, number)
    select id, "shipmentId", "orderId", position, number from json_to_recordset(${JSON.stringify(rows)}::json)
      as entered (id uuid, "shipmentId" uuid, "orderId" uuid, position integer, number text)
    on conflict (number) where returned_at is null do nothing
    returning number
  `.execute(tx);
  const inserted = new Set(stored.map(({ number }) => number));
  return rows.map(({ number }) => number).filter((number) => !inserted.has(number));
}

/** Deletes numbers of a parcel whose units are not returned. */
export async function deleteSerials(tx: Db, shipmentId: string, numbers: readonly string[]): Promise<void> {
  await sql`
    delete from serial_numbers
    where shipment_id = ${shipmentId} and number = any(${numbers}::text[]) and returned_at is null
  `.execute(tx);
}

export type SerialState = 'shipped' | 'returned' | 'unknown';

/** Units of a line of an order. */
export interface LineOf {
  readonly orderId: string;
  readonly position: number;
}

/** Where the unit of a line with this number is, as far as the shop knows. */
export async function findSerialState(db: Db, { orderId, position }: LineOf, number: string): Promise<SerialState> {
  const { rows } = await sql<{ is_returned: boolean }>`
    select bool_and(returned_at is not null) as is_returned from serial_numbers
    where order_id = ${orderId} and position = ${position} and number = ${number}
    having count(*) > 0
  `.execute(db);
  const [row] = rows;
  if (row === undefined) return 'unknown';
  return row.is_returned ? 'returned' : 'shipped';
}

/** Marks a shipped unit of a line as returned; false if no such unit is with the buyer. */
export async function markSerialReturned(
  tx: Db,
  { orderId, position }: LineOf,
  number: string,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update serial_numbers set returned_at = ${at}
    where order_id = ${orderId} and position = ${position} and number = ${number} and returned_at is null
    returning id
  `.execute(tx);
  return rows.length > 0;
}

/**
 * Marks a returned unit of a line as being with the buyer again; false if there is none, or if its number is in another
 * parcel. Waits for a transaction that ships the number.
 */
export async function markSerialKept(tx: Db, { orderId, position }: LineOf, number: string): Promise<boolean> {
  // An update would fail if another transaction ships the number.
  const { rows } = await sql`
    with removed as (
      delete from serial_numbers where id = (
        select id from serial_numbers
        where order_id = ${orderId} and position = ${position} and number = ${number} and returned_at is not null
        order by returned_at desc limit 1
      ) returning id, shipment_id, order_id, position, number
    )
    insert into serial_numbers (id, shipment_id, order_id, position, number)
    select id, shipment_id, order_id, position, number from removed
    on conflict (number) where returned_at is null do nothing
    returning id
  `.execute(tx);
  return rows.length > 0;
}

export interface OwnSerial {
  readonly order_number: bigint;
  readonly name: string;
  readonly property_values: readonly LineValue[];
  readonly number: string;
  readonly shipped_at: Date;
  readonly returned_at: Date | null;
}

/** Numbers of the units of a user, oldest first. */
export async function listUserSerials(db: Db, userId: string): Promise<readonly OwnSerial[]> {
  const { rows } = await sql<OwnSerial>`
    select orders.number as order_number, line.name, line.property_values, serial.number, shipment.shipped_at,
      serial.returned_at
    from serial_numbers serial
    join orders on orders.id = serial.order_id
    join shipments shipment on shipment.id = serial.shipment_id
    join order_lines line on line.order_id = serial.order_id and line.position = serial.position
    where orders.user_id = ${userId} order by shipment.shipped_at, serial.id
  `.execute(db);
  return rows;
}

export interface ExportedSerial extends OwnSerial {
  readonly id: string;
  /** The exact time, to continue after it. */
  readonly at: string;
  readonly position: number;
  readonly sku: string | null;
  readonly parcel: number;
}

/** From the first moment, inclusive, to the last, exclusive. */
export interface ShippedIn {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Numbers of the units that were shipped in a time, oldest first. @param signal stops the query */
export async function* streamSerials(
  db: Db,
  { from, to }: ShippedIn,
  signal?: AbortSignal,
): AsyncGenerator<readonly ExportedSerial[]> {
  let after = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const statement = sql<ExportedSerial>`
      select serial.id, shipment.shipped_at::text as at, orders.number as order_number, serial.position, line.name,
        line.property_values, line.sku, serial.number, shipment.number as parcel, shipment.shipped_at, serial.returned_at
      from serial_numbers serial
      join shipments shipment on shipment.id = serial.shipment_id
      join orders on orders.id = serial.order_id
      join order_lines line on line.order_id = serial.order_id and line.position = serial.position
      where (shipment.shipped_at, serial.id) > (${after.at}::timestamptz, ${after.id}::uuid)
        and shipment.shipped_at >= coalesce(${from}::timestamptz, '-infinity')
        and shipment.shipped_at < coalesce(${to}::timestamptz, 'infinity')
      order by shipment.shipped_at, serial.id limit ${BATCH_SIZE}`;
    const rows = await executeCancellable(db, statement, signal);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH_SIZE) return;
    after = last;
  }
}

/** The ids of orders by number. */
export async function findOrderIds(db: Db, numbers: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; number: string }>`
    select id, number::text as number from orders where number = any(${numbers}::bigint[])
  `.execute(db);
  return new Map(rows.map(({ id, number }) => [number, id]));
}

/** Which of these numbers are with a buyer. */
export async function findHeldNumbers(db: Db, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ number: string }>`
    select number from serial_numbers where number = any(${numbers}::text[]) and returned_at is null
  `.execute(db);
  return new Set(rows.map(({ number }) => number));
}
