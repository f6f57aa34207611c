/** Retries a navigation whose page could not be loaded. */
import { isRouteErrorResponse } from 'react-router';
import type { DataStrategyFunction } from 'react-router';
import { failedNavigations, NO_FAILED_NAVIGATION } from './failed-navigation.ts';
import type { FailedNavigation, Loading } from './failed-navigation.ts';
import { logError } from '#src/ui/browser/log-error.ts';

type Args = Parameters<DataStrategyFunction>[0];
type Results = Awaited<ReturnType<DataStrategyFunction>>;

interface LoadError {
  readonly error: unknown;
  /** The script of a route could not be loaded. */
  readonly isScript: boolean;
}

/** Why the load failed; null if it succeeded. */
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

/** Resolves on retry, or when another navigation starts. */
function waitForRetry(key: string, status: number, { signal }: Request): Promise<void> {
  const known = failedNavigations.get().failed;
  // A closed message stays closed when an automatic retry fails.
  const isShown = known.key !== key || known.isShown;
  return new Promise((resolve) => {
    retry = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
    updateFailed({ key, status, isShown, isRetrying: false });
  });
}

/**
 * Shows the failure and retries on request until the load succeeds or the visitor navigates elsewhere. The current page
 * stays in place.
 */
export async function retryUntilLoaded(args: Args, first: Results, loading: Loading): Promise<Results> {
  const { request, fetcherKey } = args;
  const { router, load } = loading;
  let results = first;
  for (;;) {
    const failure = findLoadError(args, results, loading);
    const key = router.state.navigation.location?.key;
    if (failure === null || key === undefined || fetcherKey !== null || request.signal.aborted) return results;
    if (await loadFromNewRelease(request.url)) return results;
    clearWhenDone(router);
    logError('a page could not be loaded', failure.error);
    await waitForRetry(key, getStatus(failure.error), request);
    if (request.signal.aborted) return results;
    // Browsers may cache a failed script import for the lifetime of the document.
    if (failure.isScript) await reloadDocument(request.url);
    else results = await load(args);
  }
}

/** Removes the message when its navigation ends or another one starts. */
function clearWhenDone(router: Loading['router']): void {
  if (isWatching) return;
  isWatching = true;
  router.subscribe(({ navigation }) => {
    const { key } = failedNavigations.get().failed;
    if (key !== null && key !== navigation.location?.key) updateFailed(NO_FAILED_NAVIGATION);
  });
}

/** 0: no response. */
function getStatus(error: unknown): number {
  if (isRouteErrorResponse(error)) return error.status;
  return error === undefined || error instanceof TypeError ? 0 : 500;
}

/** How long the check for another release may delay the message. */
const CHECK_MS = 5_000;
const MANIFEST = '/assets/manifest-';

/**
 * Loads the page as a new document, and never resolves, if the shop was updated since this document was loaded: then the
 * failure may last. Not for the current page, which may contain unsent input.
 * @returns false if the shop has the same release, or does not respond
 */
async function loadFromNewRelease(url: string): Promise<boolean> {
  if (new URL(url).pathname === window.location.pathname) return false;
  const own = document.querySelector(`link[href*="${MANIFEST}"]`)?.getAttribute('href') ?? null;
  if (own === null) return false;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_MS) });
    const html = await response.text();
    if (!html.includes(MANIFEST) || html.includes(own)) return false;
  } catch {
    return false;
  }
  window.location.assign(url);
  return new Promise(() => {});
}

/** Loads the URL as a new document if the shop responds, and then never resolves. */
async function reloadDocument(url: string): Promise<void> {
  try {
    await fetch(url, { method: 'HEAD' });
  } catch {
    return;
  }
  window.location.assign(url);
  await new Promise(() => {});
}
