/**
 * Formats numbers and money for screens and mails, in a locale. Separate from dates, so that public
 * pages load only what they show.
 */
import { formatDecimalBtc } from './money.ts';
import type { Cents, CentsPerBtc, Sats } from './money.ts';

/** Locales of the shop's texts. */
export type Locale = 'en-US';
export const DEFAULT_LOCALE: Locale = 'en-US';

/** Making a formatter takes longer than using it. */
const formatters: Record<string, Intl.NumberFormat> = {};

/**
 * A number with grouped thousands.
 * @param decimals exactly this many
 */
export const formatNumber = (value: number | bigint, decimals = 0, locale: Locale = DEFAULT_LOCALE): string =>
  (formatters[locale + decimals] ??= new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })).format(value);

/** US dollars with cents, without a sign: `1,104.15`. */
export const formatUsdAmount = (usd: number): string => formatNumber(usd, 2);

/** US dollars with cents only if there are any: `$50`, `$49.50`. */
export const formatDollars = (usd: number): string => `$${formatNumber(usd, usd % 1 === 0 ? 0 : 2)}`;

/** Bitcoin with six decimals; `0.00` when not above zero. */
export const formatBtcAmount = (btc: number | null): string =>
  btc !== null && btc > 0 ? formatNumber(btc, 6) : '0.00';

/** Cents ≥ 0 as dollars: `$1,104.15`. */
export const formatUsd = (amount: Cents | CentsPerBtc): string =>
  `$${formatNumber(amount / 100n)}.${String(amount % 100n).padStart(2, '0')}`;

/** Satoshis ≥ 0 as bitcoin: six decimals, or eight if the amount is not a multiple of 100. */
export const formatBtc = (amount: Sats): string => `${formatDecimalBtc(amount).replace(/00$/, '')} BTC`;
