/** Counts units that arrive with a return, those with serial numbers by their numbers. */
import type { Db } from '#src/platform/database/database.ts';
import { Refusal } from '#src/platform/http/call.ts';
import { serialField } from '#src/shop/orders/fulfilment/serial-numbers.ts';
import { listSpellings } from '#src/shop/orders/fulfilment/serials.service.ts';
import type { SerialNumbers } from '#src/shop/orders/fulfilment/serials.service.ts';
import { formatLineName } from '#src/shop/orders/fulfilment/show-shipments.ts';
import { addReceived } from '../handling.store.ts';
import { deleteArrived, insertArrived } from '../serials.store.ts';
import type { ReturnRow } from '../store.ts';

export type SerialMarks = Pick<SerialNumbers, 'findState' | 'markReturned' | 'markKept'>;

export interface Arrival {
  /** Of the line; undefined: the code names it. */
  readonly position: number | undefined;
  /** A SKU, or the number of a unit. */
  readonly code: string | undefined;
  /** Negative: they are taken back. */
  readonly units: number;
  /** Of these units; empty: they have none. */
  readonly serials: readonly string[];
}

type Line = ReturnRow['lines'][number];

/** Most numbers that one message names. */
const MAX_NAMED = 5;

const nameLine = ({ name, values }: Line): string => formatLineName({ name, property_values: values });

const TOO_MANY_UNITS = new Refusal(
  409,
  'too-many-units',
  'No more units of this item are expected. Reload the page to see how many arrived',
);

const refuse = (code: string, field: string, message: string): Refusal =>
  new Refusal(409, code, message, { fields: { [field]: message } });

/** The number of a counted unit as it is stored; undefined if it is not counted. */
const findCounted = (line: Line, number: string): string | undefined =>
  listSpellings(number).find((one) => line.serials.some((counted) => counted.number === one));

/** Counts them in the transaction of the step. The refusal says what is wrong, beside the field. */
export async function countArrival(
  tx: Db,
  row: ReturnRow,
  arrival: Arrival,
  { marks, now }: { readonly marks: SerialMarks; readonly now: Date },
): Promise<Refusal | null> {
  const found = await findUnits(tx, row, arrival, marks);
  if (found instanceof Refusal) return found;
  const { field, line, numbers, units } = found;
  const counting = { row, line, field, marks };
  if (numbers.length === 0) {
    const problem = findMissing(line, units);
    if (problem !== null) return refuse('serial-numbers', field, problem);
  }
  if (!(await addReceived(tx, row.id, line.position, units))) return TOO_MANY_UNITS;
  return units > 0 ? addNumbers(tx, counting, numbers, now) : removeNumbers(tx, counting, numbers);
}

interface Found {
  readonly line: Line;
  /** With the numbers, in requests and forms. */
  readonly field: string;
  readonly numbers: readonly string[];
  readonly units: number;
}

async function findUnits(
  tx: Db,
  row: ReturnRow,
  { code, position, serials, units }: Arrival,
  marks: SerialMarks,
): Promise<Found | Refusal> {
  if (code === undefined) {
    const line = row.lines.find((one) => one.position === position);
    if (line === undefined) return TOO_MANY_UNITS;
    const signed = units < 0 ? -serials.length : serials.length;
    return {
      line,
      field: serialField(line.position),
      numbers: serials,
      units: serials.length === 0 ? units : signed,
    };
  }
  const found = findLine(row, code);
  if (found !== null) return { line: found, field: 'code', numbers: [], units };
  for (const line of row.lines) {
    const state = await marks.findState({ orderId: row.orderId, position: line.position }, code, tx);
    if (state !== 'unknown') return { line, field: 'code', numbers: [code], units };
  }
  const hasNumbers = row.lines.some(({ isNumbered }) => isNumbered);
  return refuse('unknown-code', 'code', `No item of this return has this SKU${hasNumbers ? ' or serial number' : ''}`);
}

/** The line with a SKU of which units are still expected; null if there is none. */
function findLine({ lines }: ReturnRow, code: string): Line | null {
  const typed = code.trim().toUpperCase();
  const same = lines.filter(({ sku }) => sku?.toUpperCase() === typed);
  return same.find(({ cancelled, quantity, received }) => received < quantity - cancelled) ?? same[0] ?? null;
}

/** Why units without a number can't be counted or taken back; null if they can. */
function findMissing(line: Line, units: number): string | null {
  if (units < 0)
    return line.received - line.serials.length >= -units ? null : 'Choose the serial number of the unit to take back';
  if (!line.isNumbered || units <= line.unnumbered) return null;
  return `${nameLine(line)} was shipped with a serial number. Scan or enter the number of each unit that arrives`;
}

interface Counting {
  readonly row: ReturnRow;
  readonly line: Line;
  readonly field: string;
  readonly marks: SerialMarks;
}

async function addNumbers(
  tx: Db,
  { field, line, marks, row }: Counting,
  numbers: readonly string[],
  now: Date,
): Promise<Refusal | null> {
  const { position } = line;
  const marked: string[] = [];
  const problems: string[] = [];
  for (const number of numbers) {
    const stored = await marks.markReturned(tx, { orderId: row.orderId, position }, number, now);
    if (stored !== null) marked.push(stored);
    else if (listSpellings(number).some((one) => marked.includes(one))) problems.push(`${number} is entered twice`);
    else if (problems.length < MAX_NAMED) problems.push(await describe(tx, { row, line, marks }, number));
  }
  if (problems.length > 0) return refuse('serial-numbers', field, `${problems.slice(0, MAX_NAMED).join('. ')}.`);
  await insertArrived(tx, row.id, position, marked);
  return null;
}

/** Why a number can't be counted. */
async function describe(
  tx: Db,
  { line, marks, row }: Pick<Counting, 'line' | 'marks' | 'row'>,
  number: string,
): Promise<string> {
  if (findCounted(line, number) !== undefined) return `${number} is counted already`;
  for (const other of [line, ...row.lines]) {
    const state = await marks.findState({ orderId: row.orderId, position: other.position }, number, tx);
    if (state === 'returned') return `${number} is already returned`;
    if (state === 'shipped') return `${number} was shipped as ${nameLine(other)}`;
  }
  return `${number} was not shipped with ${nameLine(line)} of this order`;
}

async function removeNumbers(
  tx: Db,
  { field, line, marks, row }: Counting,
  numbers: readonly string[],
): Promise<Refusal | null> {
  const counted = numbers.map((number) => findCounted(line, number));
  const absent = numbers.filter((_number, at) => counted[at] === undefined);
  const stored = counted.flatMap((number) => number ?? []);
  if (absent.length > 0 || new Set(stored).size < stored.length)
    return refuse('serial-numbers', field, `${absent.length > 0 ? absent.join(', ') : 'A number'} is not counted`);
  const refused = await keepSerials(tx, row, [{ position: line.position, numbers: stored }], { marks, field });
  if (refused === null) await deleteArrived(tx, row.id, line.position, stored);
  return refused;
}

/** Marks units as being with the buyer again, in the transaction of the step. */
export async function keepSerials(
  tx: Db,
  { orderId }: ReturnRow,
  units: readonly { readonly position: number; readonly numbers: readonly string[] }[],
  { field, marks }: { readonly marks: SerialMarks; readonly field?: string },
): Promise<Refusal | null> {
  for (const { numbers, position } of units) {
    const taken = await marks.markKept(tx, { orderId, position }, numbers);
    if (taken === null) continue;
    const message = `${taken} is in another parcel. Search for it and correct that parcel first`;
    return new Refusal(409, 'serial-numbers', message, { fields: { [field ?? serialField(position)]: message } });
  }
  return null;
}

/**
 * The numbers of the units of a line that the buyer gets back. All of them if all units go back; otherwise staff choose
 * as many as go back, less the units without a number.
 */
export function chooseSentBack(
  line: Line,
  { chosen, sentBack }: { readonly chosen: readonly string[]; readonly sentBack: number },
): readonly string[] | Refusal {
  const all = line.serials.map(({ number }) => number);
  const stored = chosen.map((number) => findCounted(line, number));
  const numbers = new Set(sentBack === line.received ? all : stored.flatMap((number) => number ?? []));
  const unnumbered = line.received - all.length;
  const isRight =
    stored.every((number) => number !== undefined) && numbers.size <= sentBack && sentBack - numbers.size <= unnumbered;
  if (isRight) return [...numbers];
  const message = 'Choose the serial numbers of the units that are sent back, as many as are sent back';
  return refuse('serial-numbers', serialField(line.position), message);
}
