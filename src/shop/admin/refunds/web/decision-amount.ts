import { formatUsdAmount } from '#src/shop/format-number.ts';
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';

/**
 * An amount about which staff decide, with dollars first: `$508.16, 0.004578 BTC`.
 * @param usd its value in dollars; null: unknown, then without
 */
export const formatValuedBtc = (btc: number, usd: number | null): string =>
  usd === null ? `${formatExactBtc(btc)} BTC` : `$${formatUsdAmount(usd)}, ${formatExactBtc(btc)} BTC`;

/** As `formatValuedBtc`, at a rate in dollars per bitcoin. */
export const formatBtcAtRate = (btc: number, rate: number | null): string =>
  formatValuedBtc(btc, rate === null ? null : Math.round(btc * rate * 100) / 100);
