import { Suspense } from 'react';
import { createLazyComponent } from '#src/platform/pages/browser/lazy-component.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { COMPARE_FORM } from './compare-box.tsx';

const CompareBar = createLazyComponent(
  'Loading the comparison failed',
  async () => (await import('./compare-bar.tsx')).CompareBar,
);

interface ComparisonProps {
  /** Slug of the category. */
  readonly category: string;
  /** Products on the page. */
  readonly products: readonly { readonly slug: string; readonly name: string }[];
}

/** Links the boxes of the cards to the comparison: a bar, or a button without JavaScript. */
export function Comparison(props: ComparisonProps) {
  return (
    <>
      <noscript>
        {import.meta.env.SSR && (
          <form id={COMPARE_FORM} action="/compare">
            <Button type="submit" variant="secondary">
              Compare selected products
            </Button>
          </form>
        )}
      </noscript>
      {useHydrated() && (
        <Suspense>
          <CompareBar {...props} />
        </Suspense>
      )}
    </>
  );
}
