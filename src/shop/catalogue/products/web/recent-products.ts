import { createLazyComponent } from '#src/platform/pages/browser/lazy-component.ts';

/** PROD-13. */
export const RecentProducts = createLazyComponent(
  'Loading recently viewed products failed',
  async () => (await import('./recent-row.tsx')).RecentRow,
);
