/** Texts of the figures that are compared with the same days before. */
import { formatDate, formatZone, UTC } from '#src/shop/format.ts';
import { formatNumber } from '#src/shop/format-number.ts';
import { computeChangePercent } from '../../sales/compare-periods.ts';
import type { ComparedDays } from '../../sales/compare-periods.ts';

export const PERIOD_NAMES: Readonly<Record<ComparedDays, string>> = {
  '1': 'Today',
  '7': 'Last 7 days',
  '28': 'Last 28 days',
};

export interface ShownSpan {
  readonly from: string;
  readonly to: string;
  /** ISO 8601. */
  readonly until: string;
}

export interface ShownComparison {
  readonly current: ShownSpan;
  readonly before: ShownSpan | null;
  readonly first_sale: string | null;
  readonly time_zone: string;
}

const describeDay = (day: string): string => formatDate(`${day}T00:00:00Z`, 'weekday', UTC);

/** `Sat 21 Nov 2026`, `Sun 15 Nov 2026 to Sat 21 Nov 2026`. */
const describeDays = ({ from, to }: ShownSpan): string =>
  from === to ? describeDay(to) : `${describeDay(from)} to ${describeDay(to)}`;

/** Which days are shown, and which they are compared with. */
export function describeComparison({
  current,
  before,
  first_sale: firstSale,
  time_zone: zone,
}: ShownComparison): string {
  const untilOf = ({ until }: ShownSpan): string => formatDate(until, 'clock', zone);
  const shown = `${describeDays(current)}, until ${untilOf(current)} (${formatZone(zone)})`;
  if (before !== null) return `${shown}, compared with ${describeDays(before)}, until ${untilOf(before)}.`;
  return firstSale === null
    ? `${shown}. Nothing was sold yet, so there is nothing to compare with.`
    : `${shown}. There are no earlier days to compare with: the first sale was on ${describeDay(firstSale)}.`;
}

/** `+12 %`, `−3 %`, `no change`; null if a percentage would say nothing. */
export function describeChange(now: number, before: number): string | null {
  const percent = computeChangePercent(now, before);
  if (percent === null) return null;
  if (percent === 0) return 'no change';
  return `${percent < 0 ? '−' : '+'}${formatNumber(Math.abs(percent))}%`;
}
