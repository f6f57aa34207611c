/**
 * Days of the shop's time zone, written as `2026-03-01`. A day has 23 to 25 hours where clocks change;
 * a day that a zone left out is empty.
 */
import { formatZone, UTC } from './format.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** More than any zone differs from UTC. */
const MAX_OFFSET_MS = 26 * 3_600_000;

/** Formatters are expensive: cached, and limited to a few zones. */
const MAX_FORMATTERS = 16;
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  const two = '2-digit';
  // The Swedish format is that of ISO 8601: `2026-03-01 14:05:09`.
  const created = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  });
  formatters.set(timeZone, created);
  return created;
}

/** Date and time of a clock in the zone: `2026-03-01 14:05:09`. */
const formatLocal = (at: number, timeZone: string): string =>
  timeZone === UTC ? new Date(at).toISOString().slice(0, 19).replace('T', ' ') : getFormatter(timeZone).format(at);

/** The day in the zone. */
export const toShopDay = (at: Date, timeZone: string): string => formatLocal(at.getTime(), timeZone).slice(0, 10);

/** Day and minute in the zone, with its name: `2026-03-01 14:05 Europe/Berlin`. */
export const formatShopMinute = (at: Date, timeZone: string): string =>
  `${formatLocal(at.getTime(), timeZone).slice(0, 16)} ${formatZone(timeZone)}`;

/** How far clocks of the zone are ahead of UTC. */
const getOffsetMs = (at: number, timeZone: string): number =>
  Date.parse(`${formatLocal(at, timeZone).replace(' ', 'T')}Z`) - Math.floor(at / SECOND_MS) * SECOND_MS;

/** The first moment of a day, or of the next one if the zone left the day out. */
export function startOfShopDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (timeZone === UTC) return new Date(midnight);
  const hasBegun = (at: number): boolean => formatLocal(at, timeZone).slice(0, 10) >= day;
  const guess = midnight - getOffsetMs(midnight - getOffsetMs(midnight, timeZone), timeZone);
  if (hasBegun(guess) && !hasBegun(guess - SECOND_MS)) return new Date(guess);
  // Clocks change around this midnight. They change at whole seconds.
  let [before, from] = [midnight - MAX_OFFSET_MS, midnight + MAX_OFFSET_MS];
  while (from - before > SECOND_MS) {
    const middle = before + Math.floor((from - before) / 2 / SECOND_MS) * SECOND_MS;
    if (hasBegun(middle)) from = middle;
    else before = middle;
  }
  return new Date(from);
}

/** The day that comes this many calendar days later. */
export const addShopDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The first moment after a day. */
export const endOfShopDay = (day: string, timeZone: string): Date => startOfShopDay(addShopDays(day, 1), timeZone);

/** The moment at which clocks of the zone show the same time on another day; an hour later where they skip it. */
export function sameTimeOfDay(at: Date, day: string, timeZone: string): Date {
  const shown = Date.parse(`${day}T${formatLocal(at.getTime(), timeZone).slice(11)}Z`);
  const guess = shown - getOffsetMs(shown, timeZone);
  return new Date(shown - getOffsetMs(guess, timeZone) + (at.getTime() % SECOND_MS));
}

/** First and last day, both included. */
export interface ShopDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** From the first moment, inclusive, to the last, exclusive. Null: unbounded. */
export const toPeriod = ({ from, to }: ShopDays, timeZone: string) => ({
  from: from === undefined ? null : startOfShopDay(from, timeZone),
  to: to === undefined ? null : endOfShopDay(to, timeZone),
});

const offered: ReadonlySet<string> = new Set([UTC, ...Intl.supportedValuesOf('timeZone')]);

/** All zones that the setting offers, UTC first. */
export const listTimeZones = (): string[] => [...offered];

export const isOfferedTimeZone = (name: string): boolean => offered.has(name);
