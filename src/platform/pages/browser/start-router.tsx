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
import { logError } from '#src/ui/log-error.ts';

type Framework = NonNullable<Parameters<typeof FrameworkContext.Provider>[0]['value']>;
type Router = ReturnType<typeof createRouter>;
type State = NonNullable<Parameters<typeof createClientRoutes>[2]>;

const isState = (value: unknown): value is State => typeof value === 'object' && value !== null;

/** What the page's last script has put there. */
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
 * Takes the page over as React Router's HydratedRouter does, with the same parts, but for what this shop has no use for:
 * routes that are discovered on the way, and pages without a server.
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
  // For the router, nothing loaded is not the same as nothing to load.
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
        // A link whose page does not come leaves the page as it is.
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
 * That the shop did not answer, or not well, or had too much to do; what it did answer, as that the visitor is to log in,
 * is no fault.
 */
const isUnexpectedError = (error: unknown): boolean =>
  !(error instanceof Response) && !(isRouteErrorResponse(error) && error.status < 500 && error.status !== 429);

/**
 * A page that looks again by itself, as for a payment, is not given up because the shop did not answer this once: what it
 * shows stays, and goes on with the next look.
 */
function keepPageOnRevalidationError(getRouter: () => Router, load: DataStrategyFunction): DataStrategyFunction {
  return async (args) => {
    const { navigation, revalidation, loaderData } = getRouter().state;
    const isLook = revalidation === 'loading' && navigation.state === 'idle';
    const results = await load(args);
    if (!isLook) return results;
    for (const [id, { type, result }] of Object.entries(results)) {
      if (type !== 'error' || !isUnexpectedError(result) || loaderData[id] === undefined || args.request.signal.aborted)
        continue;
      logError('the page was not loaded again', result);
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
  // The empty place beside it is that of the data in the server's tree: ids that React makes up depend on it.
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
