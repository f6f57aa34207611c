/** Texts of sales figures on the screen. */
import { formatExactBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import { formatDate, formatZone, UTC } from '#src/shop/format.ts';
import { formatNumber, formatUsdAmount } from '#src/shop/format-number.ts';
import type { Margin, SalesFigures } from '../contract.ts';
import type { SalesUnit } from '../sales-period.ts';

/** What the word revenue means on every page of figures. */
export const REVENUE = 'Revenue, net of refunds';
/** What buyers paid, by group. */
export const SOLD = 'Sold, before refunds';

export const formatUsdText = (usd: number): string =>
  usd < 0 ? `−$${formatUsdAmount(-usd)}` : `$${formatUsdAmount(usd)}`;
export const formatBtcText = (btc: number): string =>
  btc < 0 ? `−${formatExactBtc(-btc)} BTC` : `${formatExactBtc(btc)} BTC`;
/** In a column, so that the decimal points are below each other. */
export const formatBtcCell = (btc: number): string =>
  btc < 0 ? `−${formatNumber(-btc, 8)} BTC` : `${formatNumber(btc, 8)} BTC`;
export const formatAverage = ({ average_usd: average }: Pick<SalesFigures, 'average_usd'>): string =>
  average === null ? 'none' : formatUsdText(average);

/** `$120.00 (34.5%)`: percent of what the goods brought. Goods that brought nothing have none. */
export const formatMargin = ({ goods_usd: goods, margin_usd: margin }: Margin): string =>
  goods === 0 ? formatUsdText(margin) : `${formatUsdText(margin)} (${formatPercent((100 * margin) / goods)})`;

const formatPercent = (percent: number): string =>
  percent < 0 ? `−${formatNumber(-percent, 1)}%` : `${formatNumber(percent, 1)}%`;

export const countUnits = (units: number): string => `${formatNumber(units)} ${units === 1 ? 'unit' : 'units'}`;

interface ShownDays {
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
}

/** `1 Mar 2026`, `Week of 2 Mar 2026`, `Mar 2026`. */
export function describeUnit(start: string, unit: SalesUnit): string {
  const day = formatDate(`${start}T00:00:00Z`, 'day', UTC);
  if (unit === 'day') return day;
  return unit === 'week' ? `Week of ${day}` : day.replace(/^\d+ /, '');
}

/** Days of a period, with their time zone. */
export const describeDays = ({ from, to, time_zone: zone }: ShownDays): string =>
  `${describeUnit(from, 'day')} to ${describeUnit(to, 'day')} (${formatZone(zone)})`;

const THOUSAND = 1_000;
const MILLION = 1_000_000;
const shorten = (value: number): string => formatNumber(value, Number.isInteger(value) ? 0 : 1);

/** A short label of an axis: `$500`, `$1.5k`, `$2M`. */
export function formatUsdTick(value: number): string {
  if (value >= MILLION) return `$${shorten(value / MILLION)}M`;
  return value >= THOUSAND ? `$${shorten(value / THOUSAND)}k` : `$${shorten(value)}`;
}

/** Without the zeros at the end: `0.005`. */
export const formatBtcTick = (value: number): string => String(Number(value.toFixed(8)));
export const formatCountTick = (value: number): string => (Number.isInteger(value) ? formatNumber(value) : '');
