import { lazyComponent } from '#src/platform/pages/browser/lazy-component.ts';

/** PROD-09: what was looked at last in this browser. */
export const RecentProducts = lazyComponent(
  'the recently viewed products were not loaded',
  async () => (await import('./recent-row.tsx')).RecentRow,
);
