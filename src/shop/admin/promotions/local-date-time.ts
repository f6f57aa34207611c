/**
 * Converts a moment to the text of a `datetime-local` field, to the minute.
 * @param timeZone IANA name; undefined: the machine's zone, for browsers only
 */
export function toLocalDateTime(at: string, timeZone: string | undefined): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  }).formatToParts(new Date(at));
  const read = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${read('year').padStart(4, '0')}-${read('month')}-${read('day')}T${read('hour')}:${read('minute')}`;
}

/** Converts the text of a `datetime-local` field, in the browser's time zone, to ISO 8601 in UTC. */
export function fromLocalDateTime(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** Name of a time zone; undefined: the machine's. */
export const getZoneName = (timeZone: string | undefined): string =>
  timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
