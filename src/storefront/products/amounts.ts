/** Formats amounts of API responses. */

/** @param decimal with a decimal point. */
const groupThousands = (decimal: string): string => decimal.replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');

/** Six decimals; '0.00' when not above zero. */
export const formatBtcAmount = (btc: number | null): string =>
  btc !== null && btc > 0 ? groupThousands(btc.toFixed(6)) : '0.00';

/** A price without bitcoin: there is no rate now. */
export const isWithoutRate = (btc: number | null, usd: number): boolean => !btc && usd > 0;

/** Two decimals, thousands grouped. */
export const formatUsdAmount = (usd: number): string => groupThousands(usd.toFixed(2));
