import { createLazyComponent } from '#src/platform/pages/browser/lazy-component.ts';

/** OPS-10: offers a mail for when a sold-out variant is back. Fetched when first rendered, within a Suspense. */
export const BackInStock = createLazyComponent(
  'Loading the back-in-stock button failed',
  async () => (await import('./back-in-stock-button.tsx')).BackInStockButton,
);
