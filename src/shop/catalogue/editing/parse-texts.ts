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
