/**
 * Formats numbers and money for screens and mails, in a locale. Apart from dates, so that public
 * pages load only what they show.
 */
import { formatDecimalBtc } from './money.ts';
import type { Cents, CentsPerBtc, Sats } from './money.ts';

/** Locales of the shop's texts. */
export type Locale = 'en-US';
export const DEFAULT_LOCALE: Locale = 'en-US';

const numberFormatters = new Map<string, Intl.NumberFormat>();

/**
 * A number with grouped thousands.
 * @param decimals exactly this many
 */
export function formatNumber(value: number | bigint, decimals = 0, locale: Locale = DEFAULT_LOCALE): string {
  const key = locale + decimals;
  const formatter =
    numberFormatters.get(key) ??
    new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  numberFormatters.set(key, formatter);
  return formatter.format(value);
}

/** US dollars with cents, without a sign: `1,104.15`. */
export const formatUsdAmount = (usd: number, locale?: Locale): string => formatNumber(usd, 2, locale);

/** US dollars with cents only if there are any: `$50`, `$49.50`. */
export const formatDollars = (usd: number, locale?: Locale): string =>
  `$${formatNumber(usd, Number.isInteger(usd) ? 0 : 2, locale)}`;

/** Bitcoin with six decimals; `0.00` when not above zero. */
export const formatBtcAmount = (btc: number | null, locale?: Locale): string =>
  btc !== null && btc > 0 ? formatNumber(btc, 6, locale) : '0.00';

/** Cents ≥ 0 as dollars: `$1,104.15`. */
export const formatUsd = (amount: Cents | CentsPerBtc, locale?: Locale): string =>
  `$${formatNumber(amount / 100n, 0, locale)}.${String(amount % 100n).padStart(2, '0')}`;

/** Satoshis ≥ 0 as bitcoin: six decimals, or eight if the amount is not a multiple of 100. */
export const formatBtc = (amount: Sats): string => `${formatDecimalBtc(amount).replace(/00$/, '')} BTC`;
