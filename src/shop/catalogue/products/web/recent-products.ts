import { lazyComponent } from '#src/platform/pages/browser/lazy-component.ts';

/** PROD-09. */
export const RecentProducts = lazyComponent(
  'Loading recently viewed products failed',
  async () => (await import('./recent-row.tsx')).RecentRow,
);
