/** What is done about a navigation whose page could not be loaded. */
import { isRouteErrorResponse } from 'react-router';
import type { DataStrategyFunction } from 'react-router';
import { failedNavigations, NO_FAILED_NAVIGATION } from './failed-navigation.ts';
import type { FailedNavigation, Loading } from './failed-navigation.ts';
import { logError } from '#src/ui/log-error.ts';

type Args = Parameters<DataStrategyFunction>[0];
type Results = Awaited<ReturnType<DataStrategyFunction>>;

interface LoadError {
  readonly error: unknown;
  /** The script of a route is missing. */
  readonly isScript: boolean;
}

/** Why there is no page; null when there is. */
function findLoadError(
  { matches }: Args,
  results: Results,
  { routeModules, isUnexpectedError }: Loading,
): LoadError | null {
  const isScript = matches.some(({ route }) => !(route.id in routeModules));
  const failed = Object.values(results).find(({ type, result }) => type === 'error' && isUnexpectedError(result));
  return isScript || failed ? { error: failed?.result, isScript } : null;
}

let retry: (() => void) | null = null;
let isWatching = false;

const updateFailed = (changed: Partial<FailedNavigation>): void =>
  failedNavigations.update({ failed: { ...failedNavigations.get().failed, ...changed } });

export const hideFailedNavigation = (): void => updateFailed({ isShown: false });

export function retryNavigation(): void {
  updateFailed({ isRetrying: true });
  retry?.();
}

/** Resolves when it is to be tried again, and when another navigation takes its place. */
function waitForRetry(key: string, status: number, { signal }: Request): Promise<void> {
  const known = failedNavigations.get().failed;
  // What was closed stays closed when the page behind it looks again by itself.
  const isShown = known.key !== key || known.isShown;
  return new Promise((resolve) => {
    retry = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
    updateFailed({ key, status, isShown, isRetrying: false });
  });
}

/**
 * A link was pressed, and its page did not come: says so, and loads it until that succeeds or the visitor goes elsewhere.
 * Meanwhile the page before it stays.
 */
export async function retryUntilLoaded(args: Args, first: Results, loading: Loading): Promise<Results> {
  const { request, fetcherKey } = args;
  const { router, load } = loading;
  let results = first;
  for (;;) {
    const fault = findLoadError(args, results, loading);
    const key = router.state.navigation.location?.key;
    if (fault === null || key === undefined || fetcherKey !== null || request.signal.aborted) return results;
    clearWhenDone(router);
    logError('a page was not loaded', fault.error);
    await waitForRetry(key, getStatus(fault.error), request);
    if (request.signal.aborted) return results;
    // A browser may never fetch a script again that has failed; a new document does.
    if (fault.isScript) await reloadDocument(request.url);
    else results = await load(args);
  }
}

/** The message goes when its navigation has ended, or another one has begun. */
function clearWhenDone(router: Loading['router']): void {
  if (isWatching) return;
  isWatching = true;
  router.subscribe(({ navigation }) => {
    const { key } = failedNavigations.get().failed;
    if (key !== null && key !== navigation.location?.key) updateFailed(NO_FAILED_NAVIGATION);
  });
}

/** 0: there was no answer. */
function getStatus(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status;
  return error === undefined || error instanceof TypeError ? 0 : 500;
}

/** Opens the address as a new document if the shop answers; then it never resolves. */
async function reloadDocument(url: string): Promise<void> {
  try {
    await fetch(url, { method: 'HEAD' });
  } catch {
    return;
  }
  window.location.assign(url);
  await new Promise(() => {});
}
