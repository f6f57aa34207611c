/** Converts and subtracts wire amounts of payments exactly, in the form that wallets read. */

// Exact: rounding a wire value always finds its integer of satoshis.
export const toSats = (btc: number): number => Math.round(btc * 1e8);
const toCents = (usd: number): number => Math.round(usd * 100);

/** BTC to the satoshi, as wallets read it: six decimals, or up to eight if they are not zero. */
export const formatExactBtc = (btc: number): string => btc.toFixed(8).replace(/0{1,2}$/, '');

/** Whole satoshis without separators, as wallets read them. */
export const formatSats = (btc: number): string => toSats(btc).toString();

/** Subtracts BTC amounts in whole satoshis. */
export const subtractBtc = (from: number, btc: number): number => (toSats(from) - toSats(btc)) / 1e8;

/** Subtracts USD amounts in whole cents. */
export const subtractUsd = (from: number, usd: number): number => (toCents(from) - toCents(usd)) / 100;
