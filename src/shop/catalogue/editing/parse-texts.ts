/** Parses fields of products that files write as texts. */
import { parseAmount } from '#src/shop/parse-amount.ts';
import type { ParsedAmount } from '#src/shop/parse-amount.ts';
import { isTaxClass, taxClasses } from '#src/shop/tax/tax-class.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import { isSerialKind, serialKinds } from '../serial-kind.ts';
import type { SerialKind } from '../serial-kind.ts';
import { accept, reject, shorten } from './parsed.ts';
import type { Parsed } from './parsed.ts';
import { MAX_SPECIFICATION_NAME, MAX_SPECIFICATION_TEXT, MAX_SPECIFICATIONS } from './product-limits.ts';
import {
  ENERGY_CLASSES,
  EPREL_NUMBER,
  IP_RATING,
  MAX_CYCLES,
  MAX_ENDURANCE_MINUTES,
  MAX_LABEL_TEXT,
  QUALITY_CLASSES,
  SHEET_URL,
} from '../compliance/energy-label.ts';
import type { EnergyLabel } from '../compliance/energy-label.ts';
import { createSafety, SAFETY_FIELDS, SAFETY_LIMITS, toGivenSafety } from '../compliance/product-safety.ts';
import type { ProductSafety } from '../compliance/product-safety.ts';

const MAX_WHOLE = 1_000_000_000;

/** @param otherwise what is wrong with a text for which there is no better advice */
export const refuseAmount = (text: string, parsed: ParsedAmount, otherwise: string) =>
  reject((parsed.ok ? null : parsed.advice) ?? `“${shorten(text)}” ${otherwise}`);

/** A whole number, which may have decimals that are zero. */
export function parseWhole(text: string): Parsed<number> {
  const parsed = parseAmount(text, { decimals: 2, isSigned: true });
  const number = parsed.ok && parsed.units % 100n === 0n ? Number(parsed.units / 100n) : Number.NaN;
  if (Math.abs(number) < MAX_WHOLE) return accept(number);
  return refuseAmount(text, parseAmount(text, { decimals: 0, isSigned: true }), 'is not a whole number');
}

/** A text up to a length. */
export const parseUpTo =
  (maximum: number) =>
  (text: string): Parsed<string> =>
    text.length <= maximum
      ? accept(text)
      : reject(`The text has ${text.length} characters. At most ${maximum} are allowed`);

export function parseTaxClass(text: string): Parsed<TaxClass> {
  const name = text.toLowerCase();
  return isTaxClass(name) ? accept(name) : reject(`“${shorten(text)}” is none of ${taxClasses.join(', ')}`);
}

export function parseSerialKind(text: string): Parsed<SerialKind> {
  const name = text.toLowerCase();
  return isSerialKind(name) ? accept(name) : reject(`“${shorten(text)}” is none of ${serialKinds.join(', ')}`);
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isText = (value: unknown, maximum: number): value is string =>
  typeof value === 'string' && value.length <= maximum && !value.includes('\u0000') && value.isWellFormed();

const isFilled = (value: unknown, maximum: number): value is string => isText(value, maximum) && value.trim() !== '';

/** JavaScript sorts such names first, so the order of specifications could not be kept. */
export const isOutOfOrder = (name: string): boolean => /^\d+$/.test(name) || name === '__proto__';

interface Specification {
  readonly name: string;
  readonly value: string;
}

/** Specifications as a JSON object of texts. */
export function parseSpecifications(text: string): Parsed<readonly Specification[]> {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return reject('This is not a JSON object such as {"Display": "6.3 inches"}');
  const entries = Object.entries(parsed);
  if (entries.length > MAX_SPECIFICATIONS) return reject(`A product has at most ${MAX_SPECIFICATIONS} specifications`);
  const specifications: Specification[] = [];
  for (const [name, value] of entries) {
    if (!isFilled(name, MAX_SPECIFICATION_NAME) || !isFilled(value, MAX_SPECIFICATION_TEXT)) {
      const lengths = `a name of at most ${MAX_SPECIFICATION_NAME} and a text of at most ${MAX_SPECIFICATION_TEXT}`;
      return reject(`Each specification is ${lengths} characters`);
    }
    if (isOutOfOrder(name)) return reject(`Add a word to the name “${name}”`);
    specifications.push({ name, value });
  }
  return accept(specifications);
}

/** Safety information as a JSON object of texts, of which each may be missing. */
export function parseSafety(text: string): Parsed<ProductSafety | null> {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return reject('This is not a JSON object such as {"manufacturer": "Acme Ltd"}');
  const names: readonly string[] = SAFETY_FIELDS;
  const unknown = Object.keys(parsed).find((name) => !names.includes(name));
  if (unknown !== undefined) return reject(`“${shorten(unknown)}” is none of ${SAFETY_FIELDS.join(', ')}`);
  for (const field of SAFETY_FIELDS) {
    const limit = SAFETY_LIMITS[field];
    if (!isText(parsed[field] ?? '', limit)) return reject(`${field} is not a text of at most ${limit} characters`);
  }
  return accept(toGivenSafety(createSafety((field) => readText(parsed, field))));
}

const readText = (record: Readonly<Record<string, unknown>>, name: string): string => {
  const value = record[name];
  return typeof value === 'string' ? value.trim() : '';
};
const readWhole = (record: Readonly<Record<string, unknown>>, name: string, maximum: number): number | null => {
  const value = record[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maximum ? value : null;
};

/** An energy label as a JSON object; all but supplier, model, registration number and sheet are required. */
export function parseEnergyLabel(text: string): Parsed<EnergyLabel> {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return reject('This is not a JSON object such as {"class": "B", "ip_rating": "IP68", …}');
  const read = (name: string): string => readText(parsed, name);
  const findOne = <Name extends string>(names: readonly Name[], field: string): Name | undefined =>
    names.find((name) => name === read(field));
  const [energyClass, fall, repair] = [
    findOne(ENERGY_CLASSES, 'class'),
    findOne(QUALITY_CLASSES, 'fall_class'),
    findOne(QUALITY_CLASSES, 'repair_class'),
  ];
  const minutes = readWhole(parsed, 'endurance_minutes', MAX_ENDURANCE_MINUTES);
  const cycles = readWhole(parsed, 'endurance_cycles', MAX_CYCLES);
  if (energyClass === undefined) return reject('class is none of A to G');
  if (fall === undefined || repair === undefined) return reject('fall_class and repair_class are letters from A to E');
  if (minutes === null || cycles === null) return reject('endurance_minutes and endurance_cycles are whole numbers');
  const [ip, eprel, sheet] = [read('ip_rating'), read('eprel_number'), read('sheet_url')];
  if (!IP_RATING.test(ip)) return reject('ip_rating is a rating such as IP68');
  if (!EPREL_NUMBER.test(eprel)) return reject('eprel_number is up to 12 digits, as a text');
  if (!SHEET_URL.test(sheet)) return reject('sheet_url is an address that starts with https://');
  const [supplier, model] = [read('supplier'), read('model')];
  if (!isText(supplier, MAX_LABEL_TEXT) || !isText(model, MAX_LABEL_TEXT)) {
    return reject(`supplier and model have at most ${MAX_LABEL_TEXT} characters`);
  }
  return accept({
    class: energyClass,
    supplier,
    model,
    endurance_minutes: minutes,
    endurance_cycles: cycles,
    fall_class: fall,
    repair_class: repair,
    ip_rating: ip,
    eprel_number: eprel,
    sheet_url: sheet,
  });
}
