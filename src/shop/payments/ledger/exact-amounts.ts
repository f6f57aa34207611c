/** Amounts of a payment as they are written; from those on the wire. */

/** To the satoshi, as it is to be sent: six decimals, or up to eight where they say something. */
export const formatExactBtc = (btc: number): string => btc.toFixed(8).replace(/0{1,2}$/, '');

// A float is the nearest one to its integer here, so rounding finds that integer again.
const satsOf = (btc: number): number => Math.round(btc * 1e8);
const centsOf = (usd: number): number => Math.round(usd * 100);

/** Whole satoshi, without separators. */
export const formatSats = (btc: number): string => satsOf(btc).toString();

/** One amount of BTC less another, reckoned in whole satoshi. */
export const subtractBtc = (from: number, btc: number): number => (satsOf(from) - satsOf(btc)) / 1e8;

/** One amount of USD less another, reckoned in whole cents. */
export const subtractUsd = (from: number, usd: number): number => (centsOf(from) - centsOf(usd)) / 100;

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, minimumFractionDigits: 2 });

/** A rate: two decimals, its thousands apart. */
export const formatRate = (usdPerBtc: number): string => GROUPED.format(usdPerBtc);

/** Digits in groups of three, from the end. */
export const groupDigits = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** Whole dollars, thousands grouped: an order's total in lists of orders and in step 3. */
export const formatWholeUsd = (usd: number): string => groupDigits(Math.round(usd).toString());
