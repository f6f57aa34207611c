import { Suspense } from 'react';
import { createLazyComponent } from '#src/platform/pages/browser/lazy-component.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { ShownRate } from '../shown-rate.ts';

const RateAge = createLazyComponent(
  'Loading the age of the rate failed',
  async () => (await import('./rate-age.tsx')).RateAge,
);

/**
 * The price of a bitcoin that the prices of the page use, and its age once scripts run.
 * @param props.rate null while the shop has none
 */
export function RateLine({ rate }: { readonly rate: ShownRate | null }) {
  const isHydrated = useHydrated();
  const isConstant = rate !== null && rate.updatedAt === null;
  const age = isHydrated && !isConstant && (
    <Suspense>
      <RateAge rate={rate} />
    </Suspense>
  );
  if (rate === null) {
    return (
      <p className="muted small">
        No bitcoin rate at the moment
        {age}
      </p>
    );
  }
  return (
    <p className="muted small tabular" translate="no">
      1 BTC = ${formatUsdAmount(rate.usd)}
      {age}
    </p>
  );
}
