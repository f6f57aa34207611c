import { latePart } from '#src/platform/pages/browser/late-part.ts';

/** PROD-09: what was looked at last in this browser. */
export const RecentProducts = latePart(
  'the recently viewed products were not loaded',
  async () => (await import('./recent-row.tsx')).RecentRow,
);
