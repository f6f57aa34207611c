/** The amount of tax in the national currency of the seller (article 230 of Directive 2006/112/EC, and UK VAT rules). */
import { cents, divideNearest } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

/** Currencies with two decimals in which a seller of the EU, the UK, Norway or Switzerland owes the tax. */
export const nationalCurrencies = ['EUR', 'GBP', 'CHF', 'CZK', 'DKK', 'HUF', 'NOK', 'PLN', 'RON', 'SEK'] as const;
export type NationalCurrency = (typeof nationalCurrencies)[number];

export const isNationalCurrency = (text: string): text is NationalCurrency =>
  nationalCurrencies.some((one) => one === text);

/** A rate of the national currency. */
export interface NationalRate {
  readonly currency: string;
  /** Hundred-millionths of the currency for one dollar. */
  readonly rateE8: bigint;
  /** `2026-11-27`. */
  readonly day: string;
  readonly source: string;
  /** What the rate is computed from: hundred-millionths for one euro. Absent: it was entered as it is. */
  readonly euro?: { readonly dollarsE8: bigint; readonly nationalE8: bigint };
}

const RATE_DECIMALS = 8;
const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS);
/** Units for one dollar: more is a mistake. */
const MAX_RATE_E8 = 1_000_000n * RATE_SCALE;

/** A rate such as `0.8601`, in hundred-millionths; null if it is none above 0 with at most 8 decimals. */
export function parseRate(text: string): bigint | null {
  const [, whole, decimals = ''] = /^(\d{1,7})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const rate = BigInt(whole) * RATE_SCALE + BigInt(decimals.padEnd(RATE_DECIMALS, '0'));
  return rate > 0n && rate <= MAX_RATE_E8 ? rate : null;
}

/** The rate without zeros at its end; at least four decimals. */
export function formatRate(rateE8: bigint): string {
  const decimals = String(rateE8 % RATE_SCALE).padStart(RATE_DECIMALS, '0');
  return `${rateE8 / RATE_SCALE}.${decimals.slice(0, 4)}${decimals.slice(4).replace(/0+$/, '')}`;
}

/**
 * Units of a currency for one dollar, in hundred-millionths, of what a euro costs in both: the conversion between
 * currencies other than the euro by article 91(2) of Directive 2006/112/EC. Rounded once to the nearest, halves up.
 */
export const crossRate = (nationalE8: bigint, dollarsE8: bigint): bigint =>
  divideNearest(nationalE8 * RATE_SCALE, dollarsE8);

/** What a euro costs in euros. */
export const EURO_E8 = RATE_SCALE;

/** An amount in cents of dollars, in hundredths of the national currency, rounded to the nearest, halves up. */
export const convertCents = (amount: bigint, rateE8: bigint): Cents =>
  cents(divideNearest(amount * rateE8, RATE_SCALE));

/**
 * The converted tax of a credit note: what the tax credited so far with it converts to, without what earlier ones
 * converted to. So the credit notes of all of an invoice sum up to its converted tax.
 */
export function convertCreditedTax(
  tax: bigint,
  rateE8: bigint,
  earlier: readonly { readonly tax: bigint; readonly converted: bigint }[],
): Cents {
  const before = earlier.reduce((sum, note) => sum + note.tax, 0n);
  const convertedBefore = earlier.reduce((sum, note) => sum + note.converted, 0n);
  const converted = convertCents(before + tax, rateE8) - convertedBefore;
  return cents(converted > 0n ? converted : 0n);
}
