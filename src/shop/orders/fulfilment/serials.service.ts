/** Numbers of shipped units: recorded with a parcel, corrected, and checked by returns. */
import type { Db } from '#src/platform/database/database.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import type { OrderChangeRefusal, OrderChangeResult } from '../status/order-change-result.ts';
import { createOrderParts } from '../status/order-changes.service.ts';
import type { OrderPartsOptions } from '../status/order-changes.service.ts';
import { checkSerials, normaliseSerial, serialField } from './serial-numbers.ts';
import type { LineSerials } from './serial-numbers.ts';
import * as store from './serials.store.ts';
import type { LineOf, SerialState } from './serials.store.ts';
import { formatLineName } from './show-shipments.ts';
import { listAllShipments, listLinesToShip } from './shipments.store.ts';
import type { OrderLineToShip, ShippedSerial } from './shipments.store.ts';

/** Rolls back a change whose numbers are in another parcel. */
class SerialsTakenError extends Error {
  readonly refusal: OrderChangeRefusal;
  constructor(refusal: OrderChangeRefusal) {
    super(refusal.words);
    this.refusal = refusal;
  }
}

/** The refusal of wrong numbers; its sentence names the lines, for responses about several orders. */
export function refuseSerials(
  problems: Readonly<Record<string, string>>,
  lines: readonly OrderLineToShip[],
): OrderChangeRefusal {
  const words = Object.entries(problems).map(([field, problem]) => {
    const line = lines.find(({ position }) => serialField(position) === field);
    return line === undefined ? problem : `${formatLineName(line)}: ${problem}`;
  });
  return { ok: false, reason: 'serial-numbers', words: words.join(' '), problems };
}

interface ParcelSerials {
  readonly shipmentId: string;
  readonly orderId: string;
  readonly serials: readonly LineSerials[];
}

/** Stores the numbers of a parcel in the transaction that records it. @throws if one is in another parcel */
export async function recordSerials(
  tx: Db,
  { shipmentId, orderId, serials }: ParcelSerials,
  lines: readonly OrderLineToShip[],
): Promise<void> {
  const rows = serials.flatMap(({ position, numbers }) =>
    numbers.map((number) => ({ shipmentId, orderId, position, number })),
  );
  const taken = new Set(await store.insertSerials(tx, rows));
  if (taken.size === 0) return;
  const problems = serials.flatMap(({ position, numbers }) => {
    const own = numbers.filter((number) => taken.has(number));
    const what = own.length === 1 ? 'is' : 'are';
    const text = `${own.join(', ')} ${what} in another parcel and not returned. Search for it to find its order.`;
    return own.length === 0 ? [] : [[serialField(position), text] as const];
  });
  throw new SerialsTakenError(refuseSerials(Object.fromEntries(problems), lines));
}

/** The result of a change that may record numbers. */
export async function refuseTaken(change: () => Promise<OrderChangeResult>): Promise<OrderChangeResult> {
  try {
    return await change();
  } catch (error) {
    if (error instanceof SerialsTakenError) return error.refusal;
    throw error;
  }
}

export interface SerialCorrection {
  /** Number of the parcel within the order. */
  readonly parcel: number;
  readonly position: number;
  readonly numbers: readonly string[];
  /** The numbers that the caller saw. */
  readonly seen: readonly string[];
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one) => b.includes(one));

export class SerialNumbers {
  readonly #parts: ReturnType<typeof createOrderParts>;
  readonly #db: Db;

  constructor(options: OrderPartsOptions) {
    this.#parts = createOrderParts(options);
    this.#db = options.db;
  }

  /** Replaces the numbers of a line of a recorded parcel. Idempotent. */
  correct(id: string, to: SerialCorrection, by: Actor): Promise<OrderChangeResult> {
    return refuseTaken(() =>
      this.#parts.changes.decide(id, null, (tx, _order, now) => correctSerials(tx, id, to, { by, now })),
    );
  }

  /** Whether the unit of a line with this number is with the buyer, was returned, or was never shipped to them. */
  async findState(line: LineOf, number: string, db = this.#db): Promise<SerialState> {
    const spellings = listSpellings(number);
    const states = await Promise.all(spellings.map((one) => store.findSerialState(db, line, one)));
    return states.find((state) => state !== 'unknown') ?? 'unknown';
  }

  /**
   * Marks a unit as returned, in the transaction of the return. Its number, which is returned as it is stored, can be
   * shipped again. Null if no unit of the line with this number is with the buyer.
   */
  async markReturned(tx: Db, line: LineOf, number: string, at: Date): Promise<string | null> {
    for (const one of listSpellings(number)) if (await store.markSerialReturned(tx, line, one, at)) return one;
    return null;
  }

  /**
   * Marks returned units of a line as being with the buyer again, in the transaction of the return, which rolls back if
   * a number could not be marked: that one is returned. Null: all are marked. @param numbers as they are stored
   */
  async markKept(tx: Db, line: LineOf, numbers: readonly string[]): Promise<string | null> {
    // In one order everywhere, as parcels record them.
    for (const one of numbers.toSorted((a, b) => (a < b ? -1 : 1)))
      if (!(await store.markSerialKept(tx, line, one))) return one;
    return null;
  }
}

/** As stored for either kind: the kind of the product may have changed since. */
export const listSpellings = (number: string): readonly string[] => [
  ...new Set([normaliseSerial('serial', number), normaliseSerial('imei', number)]),
];

const describeProblem = (position: number, problem: string, lines: readonly OrderLineToShip[]) =>
  refuseSerials({ [serialField(position)]: problem }, lines);

/** Why numbers can't replace those of a line; null if they can. */
function findCorrectionProblem(numbers: readonly string[], present: readonly ShippedSerial[]): string | null {
  const returned = present.find(({ is_returned: isReturned, number }) => isReturned && !numbers.includes(number));
  return returned === undefined ? null : `${returned.number} was returned. It can’t be replaced.`;
}

async function correctSerials(
  tx: Db,
  id: string,
  { parcel, position, numbers: entered, seen }: SerialCorrection,
  { by, now }: { readonly by: Actor; readonly now: Date },
): Promise<OrderChangeRefusal | null> {
  const shipment = (await listAllShipments(tx, id)).find(({ number }) => number === parcel);
  const units = shipment?.units.find((one) => one.position === position);
  if (shipment === undefined || shipment.undone_at !== null || units === undefined)
    return { ok: false, reason: 'no-shipment' };
  const lines = await listLinesToShip(tx, [id]);
  const asked = lines.find((line) => line.position === position)?.serial_kind ?? 'none';
  const present = units.serials.map(({ number }) => number);
  // The product may not ask for numbers any more.
  const kind = asked === 'none' && present.length > 0 ? 'serial' : asked;
  if (kind === 'none') return describeProblem(position, 'No numbers are asked for this product.', lines);
  const { numbers, problem } = checkSerials(kind, entered, units.quantity);
  if (isSameSet(numbers, present)) return null;
  if (!isSameSet(seen, present)) return { ok: false, reason: 'serials-changed' };
  const refused = problem ?? findCorrectionProblem(numbers, units.serials);
  if (refused !== null) return describeProblem(position, refused, lines);
  const removed = present.filter((number) => !numbers.includes(number));
  const added: LineSerials = { position, numbers: numbers.filter((number) => !present.includes(number)) };
  await store.deleteSerials(tx, shipment.id, removed);
  await recordSerials(tx, { shipmentId: shipment.id, orderId: id, serials: [added] }, lines);
  await recordChange(tx, {
    at: now,
    by,
    action: 'order.serial_numbers_corrected',
    hasCustomerData: true,
    subject: { kind: 'order', id },
    before: { shipment: parcel, position, numbers: present },
    after: { shipment: parcel, position, numbers },
  });
  return null;
}
