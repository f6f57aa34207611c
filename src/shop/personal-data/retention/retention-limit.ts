/** What has been kept long enough. Pure. */
import { startOfShopDay, toShopDay } from '#src/shop/shop-days.ts';

const DAY_MS = 86_400_000;
const DAYS_OF_YEAR = 365;

/** The first day of the year of a moment, some years later: `2020-01-01`. */
const firstDayOfYear = (at: Date, timeZone: string, years: number): string =>
  `${String(Number(toShopDay(at, timeZone).slice(0, 4)) + years).padStart(4, '0')}-01-01`;

/**
 * What ended before this moment has been kept for full calendar years after the year in which it ended, as laws about
 * accounts count (for example section 147(4) of the German Abgabenordnung).
 */
export const computeYearLimit = (now: Date, years: number, timeZone: string): Date =>
  startOfShopDay(firstDayOfYear(now, timeZone, -years), timeZone);

/** When the limit moves next: the first moment of the next calendar year. */
export const findNextYear = (now: Date, timeZone: string): Date =>
  startOfShopDay(firstDayOfYear(now, timeZone, 1), timeZone);

/** What happened before this moment is more than some years of 365 days old. */
export const computeAgeLimit = (now: Date, years: number): Date =>
  new Date(now.getTime() - years * DAYS_OF_YEAR * DAY_MS);

/** What happened before this moment is more than some calendar years old. */
export function computeDateLimit(now: Date, years: number): Date {
  const limit = new Date(now);
  limit.setUTCFullYear(limit.getUTCFullYear() - years);
  return limit;
}
