import { isGtin } from '../editing/gtin.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { parseAmount } from '#src/shop/parse-amount.ts';
import type { ParsedAmount } from '#src/shop/parse-amount.ts';
import { isTaxClass, taxClasses } from '#src/shop/tax/tax-class.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import { readSeparator } from './decimal-separator.ts';
import type { DecimalSeparator } from './decimal-separator.ts';
import { accept, reject, shorten } from './parsed.ts';
import type { Parsed } from './parsed.ts';

const MAX_QUANTITY = 1_000_000;

const MAX_PRICE_CENTS = 999_999_999n;

/** A price in dollars with at most two decimals. */
export function parsePrice(text: string): Parsed<Cents> {
  const parsed = parseAmount(text, { decimals: 2, unit: '$' });
  if (!parsed.ok || parsed.units > MAX_PRICE_CENTS) return refuse(text, parsed, 'is not a price such as 1299.00');
  return parsed.units > 0n ? accept(cents(parsed.units)) : reject('The price must be more than 0');
}

const refuse = (text: string, parsed: ParsedAmount, otherwise: string) =>
  reject((parsed.ok ? null : parsed.advice) ?? `“${shorten(text)}” ${otherwise}`);

export const formatPrice = (amount: Cents): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

const MAX_WHOLE = 1_000_000_000;

/** A whole number, which may have decimals that are zero. */
function parseWhole(text: string): Parsed<number> {
  const parsed = parseAmount(text, { decimals: 2, isSigned: true });
  const number = parsed.ok && parsed.units % 100n === 0n ? Number(parsed.units / 100n) : Number.NaN;
  if (Math.abs(number) < MAX_WHOLE) return accept(number);
  return refuse(text, parseAmount(text, { decimals: 0, isSigned: true }), 'is not a whole number');
}

/** Whole units in stock; negative for variants that were sold more often than they were there. */
export function parseQuantity(text: string): Parsed<number> {
  const parsed = parseWhole(text);
  if (!parsed.ok || parsed.value <= MAX_QUANTITY) return parsed;
  return reject(`At most ${MAX_QUANTITY} can be in stock`);
}

export const parsePosition = (text: string): Parsed<number> => parseWhole(text);

const MAX_GRAMS = 1_000_000;
/** Pounds that were converted have many. */
const GRAM_DECIMALS = 30;
const GRAM_UNITS = 10n ** BigInt(GRAM_DECIMALS);

/**
 * Weight in grams, such as Shopify's `907.18474`, rounded; null for 0, which means unknown.
 * @param decimalSeparator of the file; null if it is not known
 */
export function parseGrams(text: string, decimalSeparator: DecimalSeparator | null = null): Parsed<number | null> {
  const parsed = parseAmount(text, { decimals: GRAM_DECIMALS, decimalSeparator });
  if (!parsed.ok) return refuse(text, parsed, 'is not a weight in grams');
  const grams = Number((parsed.units * 2n + GRAM_UNITS) / (GRAM_UNITS * 2n));
  // Less than half a gram is a weight, and not an unknown one.
  const rounded = grams === 0 && parsed.units > 0n ? 1 : grams;
  if (rounded > MAX_GRAMS) return reject(`At most ${MAX_GRAMS} grams are allowed`);
  return accept(rounded === 0 ? null : rounded);
}

/** Says how a weight was read whose only separator groups its thousands in this file; null for others. */
export function describeGrouped(text: string, decimalSeparator: DecimalSeparator | null): string | null {
  const [, separator] = /^\d+([.,])\d{3}$/.exec(text) ?? [];
  if (separator === undefined || separator === decimalSeparator || readSeparator(text) !== null) return null;
  const name = decimalSeparator === ',' ? 'comma' : 'point';
  const grams = text.replaceAll(/\D/g, '');
  return `“${text}” is read as ${grams} g, since other numbers of the file have a ${name} before their decimals`;
}

export function parseTaxClass(text: string): Parsed<TaxClass> {
  const name = text.toLowerCase();
  return isTaxClass(name) ? accept(name) : reject(`“${shorten(text)}” is none of ${taxClasses.join(', ')}`);
}

/** Whether a product with this status may be published. */
export function parseStatus(text: string): Parsed<boolean> {
  const status = text.toLowerCase();
  if (status === 'active') return accept(true);
  if (status === 'draft' || status === 'archived' || status === 'unlisted') return accept(false);
  return reject(`“${shorten(text)}” is none of active, draft and archived`);
}

/** A number that a spreadsheet has shortened, such as 1.95E+11: its digits are lost. */
export const isShortened = (text: string): boolean => /^\d(?:[.,]\d+)?E\+\d+$/i.test(text);

/** A GTIN, without the apostrophe that keeps spreadsheets from rounding it; null for other codes. */
export function parseGtin(text: string): string | null {
  const digits = text.replaceAll(/^'|[\s-]/g, '');
  return isGtin(digits) ? digits : null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_SPECIFICATIONS = 60;
const isText = (value: unknown, maximum: number): value is string =>
  typeof value === 'string' && value.length <= maximum && !value.includes('\u0000') && value.isWellFormed();

/** Specifications as a JSON object of texts. */
export function parseSpecifications(text: string): Parsed<Readonly<Record<string, string>>> {
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return reject('This is not a JSON object such as {"Display": "6.3 inches"}');
  const entries = Object.entries(parsed);
  if (entries.length > MAX_SPECIFICATIONS) return reject(`A product has at most ${MAX_SPECIFICATIONS} specifications`);
  const texts: Record<string, string> = {};
  for (const [name, value] of entries) {
    if (!isText(name, 80) || !isText(value, 500) || name.trim() === '' || value.trim() === '') {
      return reject('Each specification is a name of at most 80 and a text of at most 500 characters');
    }
    // JavaScript sorts such names first, so their order could not be kept.
    if (/^\d+$/.test(name) || name === '__proto__') return reject(`Add a word to the name “${name}”`);
    texts[name] = value;
  }
  return accept(texts);
}

/** A JSON list of picture addresses. */
export function parseAddresses(text: string): Parsed<readonly string[]> {
  const parsed = parseJson(text);
  return isAddressList(parsed) ? accept(parsed) : reject('This is not a JSON list of picture addresses');
}

const isAddressList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 250 && value.every((item) => isText(item, 2000));

/** Pictures of values as JSON: addresses by name of the value, by name of the option. */
export function parseValueImages(text: string): Parsed<ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>> {
  const wrong = reject('This is not JSON such as {"Color": {"Blue": ["/images/blue.avif"]}}');
  const parsed = parseJson(text);
  if (!isRecord(parsed)) return wrong;
  const byOption = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const [option, values] of Object.entries(parsed)) {
    if (!isRecord(values)) return wrong;
    const byValue = new Map<string, readonly string[]>();
    for (const [value, images] of Object.entries(values)) {
      if (!isAddressList(images)) return wrong;
      byValue.set(value, images);
    }
    byOption.set(option, byValue);
  }
  return accept(byOption);
}
