/** Loads the data of the open page again. */
import { startTransition, useEffect, useRef, useState } from 'react';
import { useNavigation, useRevalidator } from 'react-router';
import { createStore } from '#src/ui/react/store.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { usePolling } from '#src/ui/page/use-polling.ts';
import { pageParts } from './layout/page-parts.ts';

interface Request {
  readonly isAutomatic: boolean;
  readonly resolve: () => void;
}

/** Requests whose load has not begun. */
let waiting: readonly Request[] = [];
/** Begins the next load if none is in progress. */
let startNext = (): void => {};
const loads = createStore({ isLoading: false, isAutomatic: false });

/** Whether the data of a page are being loaded, by a navigation too. */
export const isPageLoading = (): boolean => loads.get().isLoading;
/** Whether nobody asked for the load in progress. */
export const useIsAutomaticReload = (): boolean => loads.use(({ isAutomatic }) => isAutomatic);

/**
 * Loads the data of the page again, after the load in progress if there is one. React Router would abort that load.
 *
 * @param options.isAutomatic false if the visitor asked for it, for example by saving
 * @returns resolves when the page shows the new data; React Router's `revalidate` resolves before. Also resolves if the
 *   load failed or the page was left.
 */
export function reloadPage({ isAutomatic = false } = {}): Promise<void> {
  return new Promise((resolve) => {
    waiting = [...waiting, { isAutomatic, resolve }];
    startNext();
  });
}

/** Reloads the page while it is visible; null: never. */
export function useReloadEvery(everyMs: number | null): void {
  usePolling(everyMs, () => {
    if (!isPageLoading()) void reloadPage({ isAutomatic: true });
  });
}

const resolveAll = (requests: readonly Request[]): void => {
  for (const { resolve } of requests) resolve();
};

/** Runs the loads of `reloadPage`; once in the frame of the page. */
function PageReloads(): null {
  const { state, revalidate } = useRevalidator();
  const isIdle = useNavigation().state === 'idle' && state === 'idle';
  const running = useRef<readonly Request[]>([]);
  const [shown, setShown] = useState<readonly Request[]>([]);
  const start = useEventCallback(() => {
    if (!isIdle || running.current.length > 0 || waiting.length === 0) return;
    const requests = waiting;
    running.current = requests;
    waiting = [];
    loads.update({ isLoading: true, isAutomatic: requests.every(({ isAutomatic }) => isAutomatic) });
    // Rendered with or after the data, which React Router renders in a transition too.
    const show = (): void => startTransition(() => setShown(requests));
    void revalidate().then(show, show);
  });
  useEffect(() => {
    if (running.current !== shown) return;
    running.current = [];
    loads.update({ isAutomatic: false });
    resolveAll(shown);
  }, [shown]);
  // After each render: the load in progress may have ended.
  useEffect(() => {
    startNext = start;
    loads.update({ isLoading: !isIdle || running.current.length > 0 });
    start();
  });
  useEffect(
    () => () => {
      startNext = () => {};
      loads.update({ isLoading: false, isAutomatic: false });
      resolveAll(running.current);
      running.current = [];
    },
    [],
  );
  return null;
}

pageParts.update({ Reloads: PageReloads });
