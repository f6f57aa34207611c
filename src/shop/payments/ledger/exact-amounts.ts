/** Formats and subtracts wire amounts of payments exactly. */
import { formatNumber } from '#src/shop/format.ts';

/** BTC to the satoshi: six decimals, or up to eight if they are not zero. */
export const formatExactBtc = (btc: number): string => btc.toFixed(8).replace(/0{1,2}$/, '');

// Exact: rounding a wire value always finds its integer of satoshis.
const satsOf = (btc: number): number => Math.round(btc * 1e8);
const centsOf = (usd: number): number => Math.round(usd * 100);

/** Whole satoshis without separators. */
export const formatSats = (btc: number): string => satsOf(btc).toString();

/** Subtracts BTC amounts in whole satoshis. */
export const subtractBtc = (from: number, btc: number): number => (satsOf(from) - satsOf(btc)) / 1e8;

/** Subtracts USD amounts in whole cents. */
export const subtractUsd = (from: number, usd: number): number => (centsOf(from) - centsOf(usd)) / 100;

/** An exchange rate with two decimals and grouped thousands. */
export const formatRate = (usdPerBtc: number): string => formatNumber(usdPerBtc, 2);

/** Groups digits by three from the end. */
export const groupDigits = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** Whole dollars with grouped thousands, for order lists and checkout step 3. */
export const formatWholeUsd = (usd: number): string => groupDigits(Math.round(usd).toString());
