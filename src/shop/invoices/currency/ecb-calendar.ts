/**
 * When the European Central Bank publishes its reference rates: about 16:00 in Frankfurt, from Monday to Friday. The
 * closing days of TARGET are not listed here: a day that the file lacks in the evening has no rates.
 */
import { addShopDays, startOfShopDay, toShopDay } from '#src/shop/shop-days.ts';

const ECB_TIME_ZONE = 'Europe/Berlin';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PUBLISHED_AFTER_MS = 16 * HOUR_MS;
/** The file is there a little after 16:00. */
const GRACE_MS = 15 * MINUTE_MS;
/** Until then a missing day is expected any moment; afterwards it counts as not published. */
const LATEST_MS = 3 * HOUR_MS;
const SOON_MS = 10 * MINUTE_MS;
/** Good Friday and Easter Monday, or two days at Christmas, are the most working days in a row without rates. */
const MOST_MISSING_DAYS = 2;

/**
 * For how many days after its day a rate of the European Central Bank counts, unless there is a newer one. The longest
 * gap, at Easter and Christmas, is four days; after a week the bank has ceased to publish the currency.
 */
export const ECB_VALID_DAYS = 7;

/** The day of the bank at a moment. */
export const toEcbDay = (at: Date): string => toShopDay(at, ECB_TIME_ZONE);

const isWorkingDay = (day: string): boolean => ![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

/** Clocks change on Sundays, so a working day has sixteen hours before 16:00. */
const publishedAt = (day: string): Date => new Date(startOfShopDay(day, ECB_TIME_ZONE).getTime() + PUBLISHED_AFTER_MS);

export function findWorkingDayBefore(day: string): string {
  const before = addShopDays(day, -1);
  return isWorkingDay(before) ? before : findWorkingDayBefore(before);
}

function findWorkingDayAfter(day: string): string {
  const after = addShopDays(day, 1);
  return isWorkingDay(after) ? after : findWorkingDayAfter(after);
}

/** The newest working day whose rates are published at a moment. */
export function findPublishedDay(at: Date): string {
  const today = toEcbDay(at);
  return isWorkingDay(today) && publishedAt(today) <= at ? today : findWorkingDayBefore(today);
}

interface KnownRates {
  /** The newest day with a rate; null: there is none. */
  readonly newestDay: string | null;
  /** When the file was read the last time; null: never. */
  readonly checkedAt: Date | null;
}

/**
 * Whether all rates that the bank published until a working day are known, so that none is missed. A file without the day
 * may be late, or a copy of before; one that was read in the evening proves that the day has none.
 */
export const isKnownUntil = (day: string, { checkedAt, newestDay }: KnownRates): boolean =>
  (newestDay !== null && newestDay >= day) ||
  (checkedAt !== null && checkedAt.getTime() >= publishedAt(day).getTime() + LATEST_MS);

/** Whether the newest day of a file is too old to be that of the newest file: a copy that is not renewed, or a wrong clock. */
export function isOutdated(newestDay: string, at: Date): boolean {
  let oldest = findPublishedDay(new Date(at.getTime() - GRACE_MS));
  for (let missing = 0; missing < MOST_MISSING_DAYS; missing += 1) oldest = findWorkingDayBefore(oldest);
  return newestDay < oldest;
}

/** Which file has the missing days: that of the last day, or that of the last ninety. */
export function chooseFile(newestDay: string | null, at: Date): 'daily' | 'history' {
  return newestDay === null || newestDay < findWorkingDayBefore(findPublishedDay(at)) ? 'history' : 'daily';
}

/** When the file is read again: after the next publication, or soon if a day is missing, hourly in the evening. */
export function scheduleFetch(newestDay: string, at: Date): Date {
  const expected = findPublishedDay(new Date(at.getTime() - GRACE_MS));
  if (newestDay < expected) {
    const isLate = at.getTime() >= publishedAt(expected).getTime() + LATEST_MS;
    return new Date(at.getTime() + (isLate ? HOUR_MS : SOON_MS));
  }
  return new Date(publishedAt(findWorkingDayAfter(newestDay > expected ? newestDay : expected)).getTime() + GRACE_MS);
}

/** When a failed fetch is repeated: after a minute, then each time later, up to an hour. @param failures in a row */
export const scheduleRetry = (failures: number, at: Date): Date =>
  new Date(at.getTime() + Math.min(MINUTE_MS * 2 ** Math.min(failures - 1, 10), HOUR_MS));
