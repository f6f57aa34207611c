import { createLazyComponent } from '#src/platform/pages/browser/lazy-component.ts';

/** PROD-15: the days of arrival. Fetched once a delivery country is chosen, since a kept page has no date. */
export const Arrival = createLazyComponent(
  'Loading the day of arrival failed',
  async () => (await import('./arrival-line.tsx')).ArrivalLine,
);
