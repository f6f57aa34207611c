import type { DeliveryRange } from './delivery-times.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** First and last day on which a parcel is expected, both as the start of a day in UTC. */
export interface Arrival {
  readonly earliest: Date;
  readonly latest: Date;
}

const isWeekend = (at: number): boolean => [0, 6].includes(new Date(at).getUTCDay());

function addBusinessDays(start: number, count: number): number {
  let at = start;
  for (let left = count; left > 0;) {
    at += DAY_MS;
    if (!isWeekend(at)) left -= 1;
  }
  return at;
}

function add(start: number, count: number, unit: DeliveryRange['unit']): number {
  if (unit === 'hours') return start + count * HOUR_MS;
  return unit === 'days' ? start + count * DAY_MS : addBusinessDays(start, count);
}

const startOfDay = (at: number): Date => new Date(Math.floor(at / DAY_MS) * DAY_MS);

/**
 * When a parcel arrives. Business days are Monday to Friday in UTC, holidays included.
 * @param start the payment, or the dispatch
 * @param ranges what follows, one after the other: time until the dispatch, time on the way
 */
export function estimateArrival(start: Date, ranges: readonly DeliveryRange[]): Arrival {
  const addAll = (end: 'from' | 'to'): Date =>
    startOfDay(ranges.reduce((at, range) => add(at, range[end], range.unit), start.getTime()));
  return { earliest: addAll('from'), latest: addAll('to') };
}

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const formatDay = (at: Date): string => `${DAY.format(at)} ${MONTH.format(at)}`;

/** `Mon 30 Nov`, or `Mon 30 Nov – Wed 2 Dec`. */
export const formatArrival = ({ earliest, latest }: Arrival): string =>
  earliest.getTime() === latest.getTime() ? formatDay(latest) : `${formatDay(earliest)} – ${formatDay(latest)}`;
