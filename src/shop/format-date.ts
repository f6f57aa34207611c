/** Dates on screen and in mails: one form, in a time zone that is named. */

/** The reader's zone is not known, or there is more than one reader, as of a mail. */
export const UTC = 'UTC';

/**
 * - day: `22 Nov 2026`
 * - time: `14:05 CET`
 * - moment: `22 Nov 2026, 14:05 CET`
 * - clock: `14:05`, where the day stands nearby (TKT-03)
 * - numeric: `22.11.2026`, for reviews alone (REV-01)
 */
export type DateForm = 'day' | 'time' | 'moment' | 'clock' | 'numeric';

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const ZONE = { timeZoneName: 'short' } as const;
const LOCALE = 'en-GB';

const FORMS: Readonly<Record<DateForm, readonly [locale: string, options: Intl.DateTimeFormatOptions]>> = {
  day: [LOCALE, DAY],
  time: [LOCALE, { ...CLOCK, ...ZONE }],
  moment: [LOCALE, { ...DAY, ...CLOCK, ...ZONE }],
  clock: [LOCALE, CLOCK],
  numeric: ['ru-RU', { day: '2-digit', month: '2-digit', year: 'numeric' }],
};

/** A formatter is expensive to make and to hold: as many as a few zones need. */
const MAX_FORMATTERS = 64;
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(form: DateForm, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  const known = formatters.get(key);
  if (known) return known;
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  const [locale, options] = FORMS[form];
  const made = new Intl.DateTimeFormat(locale, timeZone === undefined ? options : { ...options, timeZone });
  formatters.set(key, made);
  return made;
}

/**
 * @param at a moment; as text in ISO 8601.
 * @param timeZone IANA name; undefined is the zone of the machine, which only a browser may use.
 */
export function formatDate(at: Date | string, form: DateForm, timeZone: string | undefined): string {
  return getFormatter(form, timeZone).format(new Date(at));
}

/** Whether it is the IANA name of a time zone, as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(?:\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat(LOCALE, { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
