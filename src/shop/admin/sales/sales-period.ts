/** Periods and groups of the sales figures. Days are those of the shop's time zone, written as `2026-03-01`. */
import { endOfShopDay, startOfShopDay } from '#src/shop/shop-days.ts';

export const salesUnits = ['day', 'week', 'month'] as const;
export type SalesUnit = (typeof salesUnits)[number];

export const salesGroups = ['product', 'category', 'country', 'promotion'] as const;
export type SalesGroup = (typeof salesGroups)[number];

export const namedPeriods = ['7d', '30d', '90d', '12m'] as const;
type NamedPeriod = (typeof namedPeriods)[number];

export interface SalesPeriod {
  /** First day. */
  readonly from: string;
  /** Last day. */
  readonly to: string;
}

const MAX_SALES_DAYS = 3_660;
const MAX_DAYS_BY_DAY = 62;
const MAX_DAYS_BY_WEEK = 190;
/** Above this number, days would be too narrow to tell apart. */
const MAX_POINTS = 400;
const DAY_MS = 24 * 60 * 60 * 1000;

const toDate = (day: string): Date => new Date(`${day}T00:00:00Z`);
const toDay = (at: Date): string => at.toISOString().slice(0, 10);
export const addDays = (day: string, days: number): string => toDay(new Date(toDate(day).getTime() + days * DAY_MS));

/** Whether the text is a day of the calendar between 2000 and 2199. */
export const isDay = (text: string): boolean => {
  if (!/^2[01]\d\d-\d\d-\d\d$/.test(text)) return false;
  const date = toDate(text);
  return !Number.isNaN(date.getTime()) && toDay(date) === text;
};

/** Number of days, both ends included; 0 or less if they are in the wrong order. */
export const countDays = ({ from, to }: SalesPeriod): number =>
  Math.round((toDate(to).getTime() - toDate(from).getTime()) / DAY_MS) + 1;

const DAYS: Readonly<Record<Exclude<NamedPeriod, '12m'>, number>> = { '7d': 7, '30d': 30, '90d': 90 };

/** Ends today. Twelve months are the present one and the eleven before it. */
export function resolveNamedPeriod(today: string, name: NamedPeriod): SalesPeriod {
  const to = today;
  if (name !== '12m') return { from: addDays(to, 1 - DAYS[name]), to };
  const date = toDate(today);
  return { from: toDay(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 11, 1))), to };
}

export interface ChosenPeriod {
  readonly period?: NamedPeriod | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Null if the days are in the wrong order or too far apart, or only one of them is named. */
export function resolvePeriod(today: string, { period = '30d', from, to }: ChosenPeriod): SalesPeriod | null {
  if (from === undefined && to === undefined) return resolveNamedPeriod(today, period);
  if (from === undefined || to === undefined) return null;
  const days = countDays({ from, to });
  return days >= 1 && days <= MAX_SALES_DAYS ? { from, to } : null;
}

/** The unit with a readable number of points. */
export function chooseUnit(period: SalesPeriod): SalesUnit {
  const days = countDays(period);
  if (days <= MAX_DAYS_BY_DAY) return 'day';
  return days <= MAX_DAYS_BY_WEEK ? 'week' : 'month';
}

/** The chosen unit, or a longer one if the period has too many of it. */
export function limitUnit(period: SalesPeriod, unit: SalesUnit): SalesUnit {
  const days = countDays(period);
  if (unit === 'day' && days > MAX_POINTS) return limitUnit(period, 'week');
  return unit === 'week' && days > 7 * MAX_POINTS ? 'month' : unit;
}

/** First day of the unit that contains the day. Weeks start on Monday. */
export function startOfUnit(day: string, unit: SalesUnit): string {
  if (unit === 'month') return `${day.slice(0, 8)}01`;
  if (unit === 'day') return day;
  const weekday = (toDate(day).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** First days of all units that overlap the period, oldest first. The first may begin before it. */
export function listUnits(period: SalesPeriod, unit: SalesUnit): readonly string[] {
  const starts: string[] = [];
  let day = startOfUnit(period.from, unit);
  while (day <= period.to) {
    starts.push(day);
    day = unit === 'month' ? startOfUnit(addDays(day, 31), 'month') : addDays(day, unit === 'week' ? 7 : 1);
  }
  return starts;
}

/** A unit within a period: from its first moment, inclusive, to the last, exclusive. */
export interface UnitSpan {
  /** First day of the unit. */
  readonly start: string;
  readonly from: Date;
  readonly to: Date;
}

/** The spans of all units that overlap the period, limited to it, oldest first. */
export function listSpans(period: SalesPeriod, unit: SalesUnit, timeZone: string): readonly UnitSpan[] {
  const starts = listUnits(period, unit);
  const end = endOfShopDay(period.to, timeZone);
  const moments = starts.map((day) => startOfShopDay(day < period.from ? period.from : day, timeZone));
  return starts.map((start, at) => ({ start, from: moments[at] ?? end, to: moments[at + 1] ?? end }));
}
