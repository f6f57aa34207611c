import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';
import { logError } from '#src/ui/browser/log-error.ts';

interface LoadedModule<Props> {
  readonly default: ComponentType<Props>;
}

/**
 * An optional component that is fetched when first rendered, within a Suspense. If it cannot be fetched, nothing is
 * rendered.
 */
export const createLazyComponent = <Props>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load()
      .then((Part): LoadedModule<Props> => ({ default: Part }))
      .catch((error: unknown): LoadedModule<Props> => {
        logError(what, error);
        return { default: () => null };
      }),
  );
