/** The days that the first page shows, and the same weekdays before them. */
import { endOfShopDay, sameTimeOfDay, startOfShopDay, toShopDay } from '#src/shop/shop-days.ts';
import { addDays } from './sales-period.ts';

/** Whole weeks, so that both periods have the same weekdays. One day is compared with that of the week before. */
export const comparedDays = ['1', '7', '28'] as const;
export type ComparedDays = (typeof comparedDays)[number];

const WEEK = 7;

/** Days of the shop's time zone, of which the last one ends at `until`. */
export interface ComparedSpan {
  /** First day. */
  readonly from: string;
  /** Last day. */
  readonly to: string;
  readonly since: Date;
  /** Exclusive. */
  readonly until: Date;
}

export interface ComparedPeriods {
  readonly current: ComparedSpan;
  readonly before: ComparedSpan;
}

/** The last days until now, and as many days before them until the same time of day. */
export function comparePeriods(now: Date, days: ComparedDays, timeZone: string): ComparedPeriods {
  const count = Number(days);
  const today = toShopDay(now, timeZone);
  const createSpan = (to: string, until: Date): ComparedSpan => {
    const from = addDays(to, 1 - count);
    return { from, to, since: startOfShopDay(from, timeZone), until };
  };
  const current = createSpan(today, now);
  const lastBefore = addDays(today, -Math.max(count, WEEK));
  const end = endOfShopDay(lastBefore, timeZone);
  const sameTime = sameTimeOfDay(now, lastBefore, timeZone);
  return { current, before: createSpan(lastBefore, sameTime < end ? sameTime : end) };
}

/** Whether the shop sold already on the first of the earlier days: otherwise it has nothing to compare with. */
export const hasEarlierSales = (firstSale: string | null, before: ComparedSpan): boolean =>
  firstSale !== null && firstSale <= before.from;

/** Change in whole percent; null without an amount above zero before. */
export const computeChangePercent = (now: number, before: number): number | null =>
  before > 0 ? Math.round(((now - before) / before) * 100) : null;
