/** Formats dates and times for screens and mails, in a locale and a named time zone. */
import { DEFAULT_LOCALE } from './format-number.ts';
import type { Locale } from './format-number.ts';

/** Time zone of mails, and of readers whose zone is unknown. */
export const UTC = 'UTC';

/**
 * - day: `22 Nov 2026`
 * - weekday: `Sun, 22 Nov 2026`
 * - time: `14:05 CET`
 * - moment: `22 Nov 2026, 14:05 CET`
 * - clock: `14:05`, next to a day (TKT-03)
 * - numeric: `22.11.2026`, for reviews only (REV-01)
 */
export type DateForm = 'day' | 'weekday' | 'time' | 'moment' | 'clock' | 'numeric';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const ZONE = { timeZoneName: 'short' } as const;

const FORMS: Readonly<Record<DateForm, Intl.DateTimeFormatOptions>> = {
  day: DAY,
  weekday: { ...DAY, weekday: 'short' },
  time: { ...CLOCK, ...ZONE },
  moment: { ...DAY, ...CLOCK, ...ZONE },
  clock: CLOCK,
  numeric: { day: '2-digit', month: '2-digit', year: 'numeric' },
};

/** Locale whose date pattern has the day first, as FMT-03 requires; reviews use `22.11.2026`. */
const DATE_LOCALES: Readonly<Record<Locale, string>> = { 'en-US': 'en-GB' };
const REVIEW_LOCALE = 'ru-RU';

/** Formatters are expensive: cached, and limited to a few time zones. */
const MAX_FORMATTERS = 64;
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(form: DateForm, timeZone: string | undefined, locale: Locale): Intl.DateTimeFormat {
  const key = `${locale} ${form} ${timeZone}`;
  const known = formatters.get(key);
  if (known) return known;
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  const pattern = form === 'numeric' ? REVIEW_LOCALE : DATE_LOCALES[locale];
  const created = new Intl.DateTimeFormat(pattern, { ...FORMS[form], ...(timeZone && { timeZone }) });
  formatters.set(key, created);
  return created;
}

/**
 * @param at a moment, or ISO 8601 text.
 * @param timeZone IANA name; undefined: the machine's zone, for browsers only.
 */
export function formatDate(
  at: Date | string,
  form: DateForm,
  timeZone: string | undefined,
  locale: Locale = DEFAULT_LOCALE,
): string {
  return getFormatter(form, timeZone, locale).format(new Date(at));
}

/** A time zone as people read it: `America/New York`. */
export const formatZone = (timeZone: string): string => timeZone.replaceAll('_', ' ');

/** Whether a name is an IANA time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(?:\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat(DEFAULT_LOCALE, { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
