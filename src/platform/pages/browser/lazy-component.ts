import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';
import { logError } from '#src/ui/log-error.ts';

interface LoadedModule<Props> {
  readonly default: ComponentType<Props>;
}

/**
 * A part of a page that is fetched when it is first shown, within a Suspense. The page can do without it: where it
 * cannot be fetched, nothing stands in its place.
 */
export const lazyComponent = <Props>(
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
