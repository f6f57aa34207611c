import { isGtin } from '../editing/gtin.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { parseAmount } from '#src/shop/parse-amount.ts';
import { MAX_PRICE_CENTS } from '../editing/price-edit.ts';
import { MAX_GRAMS } from '../editing/product-limits.ts';
import { isRecord, isText, parseJson, parseWhole, refuseAmount } from '../editing/parse-texts.ts';
import { readSeparator } from './decimal-separator.ts';
import type { DecimalSeparator } from './decimal-separator.ts';
import { accept, reject, shorten } from '../editing/parsed.ts';
import type { Parsed } from '../editing/parsed.ts';

const MAX_QUANTITY = 1_000_000;

/** A price in dollars with at most two decimals. */
export function parsePrice(text: string): Parsed<Cents> {
  const parsed = parseAmount(text, { decimals: 2, unit: '$' });
  if (!parsed.ok || parsed.units > MAX_PRICE_CENTS) return refuseAmount(text, parsed, 'is not a price such as 1299.00');
  return parsed.units > 0n ? accept(cents(parsed.units)) : reject('The price must be more than 0');
}

/** What a unit costs the shop. */
export function parseCost(text: string): Parsed<Cents> {
  const parsed = parseAmount(text, { decimals: 2, unit: '$' });
  if (!parsed.ok || parsed.units > MAX_PRICE_CENTS) return refuseAmount(text, parsed, 'is not a cost such as 450.00');
  return accept(cents(parsed.units));
}

export const formatPrice = (amount: Cents): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

/** Whole units in stock; negative for variants that were sold more often than they were there. */
export function parseQuantity(text: string): Parsed<number> {
  const parsed = parseWhole(text);
  if (!parsed.ok || parsed.value <= MAX_QUANTITY) return parsed;
  return reject(`At most ${MAX_QUANTITY} can be in stock`);
}

export const parsePosition = (text: string): Parsed<number> => parseWhole(text);

/** Pounds that were converted have many. */
const GRAM_DECIMALS = 30;
const GRAM_UNITS = 10n ** BigInt(GRAM_DECIMALS);

/**
 * Weight in grams, such as Shopify's `907.18474`, rounded; null for 0, which means unknown.
 * @param decimalSeparator of the file; null if it is not known
 */
export function parseGrams(text: string, decimalSeparator: DecimalSeparator | null = null): Parsed<number | null> {
  const parsed = parseAmount(text, { decimals: GRAM_DECIMALS, decimalSeparator });
  if (!parsed.ok) return refuseAmount(text, parsed, 'is not a weight in grams');
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
