import type { DeliveryRange } from './delivery-times.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOURS_PER_DAY = 24;

/** A calendar day, as its midnight in UTC. */
type Day = Date;

/** The calendar day of a moment where this runs. */
export const toDay = (at: Date): Day => new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()));

const isWeekend = (day: Day): boolean => day.getUTCDay() % 6 === 0;
const addDays = (day: Day, count: number): Day => new Date(day.getTime() + count * DAY_MS);

/** The day that is this many days from Monday to Friday after another one. */
function addBusinessDays(day: Day, count: number): Day {
  let reached = day;
  for (let left = count; left > 0;) {
    reached = addDays(reached, 1);
    if (!isWeekend(reached)) left -= 1;
  }
  return reached;
}

function addTime(day: Day, count: number, unit: DeliveryRange['unit']): Day {
  if (unit === 'business-days') return addBusinessDays(day, count);
  return addDays(day, unit === 'days' ? count : Math.ceil(count / HOURS_PER_DAY));
}

/**
 * The first and the last day on which a parcel arrives.
 * @param paidOn day of the payment
 * @param times one after the other: until dispatch, then on its way
 */
export function computeArrival(paidOn: Day, times: readonly DeliveryRange[]): readonly [first: Day, last: Day] {
  return [
    times.reduce((day, { from, unit }) => addTime(day, from, unit), paidOn),
    times.reduce((day, { to, unit }) => addTime(day, to, unit), paidOn),
  ];
}

const format = (day: Day): string =>
  day
    .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
    .replace(',', '');

/** `Mon 30 Nov`, or `Mon 30 Nov – Wed 2 Dec`. */
export const formatArrival = ([first, last]: readonly [Day, Day]): string =>
  first.getTime() === last.getTime() ? format(first) : `${format(first)} – ${format(last)}`;
