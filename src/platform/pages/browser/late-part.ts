import type { ComponentType, LazyExoticComponent } from 'react';
import { lazy } from 'react';
import { logFault } from '#src/ui/log-fault.ts';

interface Loaded<Props> {
  readonly default: ComponentType<Props>;
}

/**
 * A part of a page that is fetched when it is first shown, within a Suspense. The page can do without it: where it
 * cannot be fetched, nothing stands in its place.
 */
export const latePart = <Props>(
  what: string,
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load()
      .then((Part): Loaded<Props> => ({ default: Part }))
      .catch((error: unknown): Loaded<Props> => {
        logFault(what, error);
        return { default: () => null };
      }),
  );
