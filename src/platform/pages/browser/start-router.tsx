import type { ReactNode } from 'react';
import { useLayoutEffect, useState } from 'react';
import {
  isRouteErrorResponse,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  UNSAFE_createClientRoutes as createClientRoutes,
  UNSAFE_createRouter as createRouter,
  UNSAFE_decodeViaTurboStream as decodeViaTurboStream,
  UNSAFE_defaultMapRouteProperties as mapRouteProperties,
  UNSAFE_FrameworkContext as FrameworkContext,
  UNSAFE_getTurboStreamSingleFetchDataStrategy as singleFetch,
  UNSAFE_hydrationRouteProperties as hydrationRouteProperties,
  UNSAFE_RemixErrorBoundary as OutermostBoundary,
} from 'react-router';
import type {
  DataStrategyFunction,
  UNSAFE_AssetsManifest as Manifest,
  UNSAFE_RouteModules as RouteModules,
} from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { failedNavigations } from './failed-navigation.ts';
import { logError } from '#src/ui/browser/log-error.ts';

type Framework = NonNullable<Parameters<typeof FrameworkContext.Provider>[0]['value']>;
type Router = ReturnType<typeof createRouter>;
type State = NonNullable<Parameters<typeof createClientRoutes>[2]>;

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null;

/** Set by the page's last script. */
declare global {
  interface Window {
    readonly __reactRouterContext: Pick<Framework, 'future' | 'ssr' | 'isSpaMode' | 'routeDiscovery'> & {
      readonly basename: string;
      readonly stream: ReadableStream<Uint8Array>;
    };
    readonly __reactRouterManifest: Manifest;
    readonly __reactRouterRouteModules: RouteModules;
  }
}

/**
 * Creates the router as React Router's HydratedRouter does, without lazy route discovery and SPA mode. Adds handling of
 * failed navigations and revalidations, which HydratedRouter does not offer.
 */
export async function startRouter(): Promise<ReactNode> {
  const {
    __reactRouterContext: context,
    __reactRouterManifest: manifest,
    __reactRouterRouteModules: routeModules,
  } = window;
  const { basename, stream, future, ssr, isSpaMode, routeDiscovery } = context;
  const { value } = await decodeViaTurboStream(stream, window);
  const state = isState(value) ? value : {};
  const routes = createClientRoutes(manifest.routes, routeModules, state, ssr, isSpaMode);
  const loaderData = { ...state.loaderData };
  // The router expects null, not undefined, for routes without a loader.
  for (const id of Object.keys(routeModules)) if (!manifest.routes[id]?.hasLoader) loaderData[id] = null;
  const load = singleFetch(() => router, manifest, routeModules, ssr);
  const router: Router = createRouter({
    routes,
    basename,
    history: createBrowserHistory(),
    hydrationData: { ...state, loaderData },
    mapRouteProperties,
    hydrationRouteProperties,
    dataStrategy: keepPageOnRevalidationError(
      () => router,
      async (args) => {
        const results = await load(args);
        // A failed navigation keeps the current page.
        const { retry } = failedNavigations.get();
        return retry ? retry.loadUntilWhole(args, results, { router, routeModules, load, isUnexpectedError }) : results;
      },
    ),
  });
  return (
    <StartedRouter router={router} framework={{ manifest, routeModules, future, ssr, isSpaMode, routeDiscovery }} />
  );
}

/**
 * Network errors, 5xx and 429. Other responses, such as a redirect to the login, are expected.
 */
const isUnexpectedError = (error: unknown): boolean =>
  !(error instanceof Response) && !(isRouteErrorResponse(error) && error.status < 500 && error.status !== 429);

/**
 * Keeps the current data if a background revalidation fails, for example while polling for a payment. The next one may
 * succeed.
 */
function keepPageOnRevalidationError(getRouter: () => Router, load: DataStrategyFunction): DataStrategyFunction {
  return async (args) => {
    const { navigation, revalidation, loaderData } = getRouter().state;
    const isRevalidation = revalidation === 'loading' && navigation.state === 'idle';
    const results = await load(args);
    if (!isRevalidation) return results;
    for (const [id, { type, result }] of Object.entries(results)) {
      if (type !== 'error' || !isUnexpectedError(result) || loaderData[id] === undefined || args.request.signal.aborted)
        continue;
      logError('revalidation failed', result);
      results[id] = { type: 'data', result: loaderData[id] };
    }
    return results;
  };
}

function StartedRouter({ router, framework }: { readonly router: Router; readonly framework: Framework }) {
  const [location, setLocation] = useState(router.state.location);
  useLayoutEffect(() => {
    router.initialize();
    return router.subscribe((state) => setLocation(state.location));
  }, [router]);
  // The null takes the position of the data in the server's tree, on which the ids of `useId` depend.
  return (
    <>
      <FrameworkContext.Provider value={framework}>
        <OutermostBoundary location={location}>
          <RouterProvider router={router} />
        </OutermostBoundary>
      </FrameworkContext.Provider>
      {null}
    </>
  );
}
