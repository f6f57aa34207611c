const inRussian = new Intl.DateTimeFormat('ru-RU', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  // Server and browser must write the same day.
  timeZone: 'UTC',
});

/** Day, month and year of an ISO 8601 instant, in UTC: `2026-01-02T03:04:05.000Z` is `02.01.2026`. */
export const reviewDate = (created: string): string => inRussian.format(new Date(created));
