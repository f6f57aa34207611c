import { formatDate } from '#src/shop/format.ts';

/** Date and time with the zone: "28 Nov 2026, 14:05 CET (Europe/Berlin)". */
export function formatStatedAt(at: Date | string, timeZone: string): string {
  const moment = formatDate(at, 'moment', timeZone);
  return timeZone === 'UTC' ? moment : `${moment} (${timeZone})`;
}
