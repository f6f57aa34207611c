/**
 * Renders a page with less work than React Router's request handler: loaders, one synchronous render, and the data as JSON.
 * Forms, errors, redirects and data that is not plain are left to that handler.
 */
import type {
  EntryContext,
  RouterContextProvider,
  ServerBuild,
  StaticHandler,
  StaticHandlerContext,
} from 'react-router';
import { createStaticHandler } from 'react-router';
import { getPageBundle } from './page-bundle.ts';
import type { RenderedPage } from './page-bundle.ts';
import { serializePageData } from './page-data.ts';

type Routes = Parameters<typeof createStaticHandler>[0];
type Route = NonNullable<ServerBuild['routes'][string]>;

interface FastRenderResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly page: RenderedPage;
}

/** Null if React Router's request handler must render the page. */
export type FastRender = (request: Request, loadContext: RouterContextProvider) => Promise<FastRenderResult | null>;

export function createFastRender(build: ServerBuild): FastRender {
  const handler = createStaticHandler(listRoutesBelow(build.routes, undefined));
  const { renderDocument } = getPageBundle(build);
  const { basename, future, routeDiscovery, ssr } = build;
  const isSpaMode = false;
  const handoff = JSON.stringify({ basename, future, routeDiscovery, ssr, isSpaMode });
  const fixed = {
    manifest: build.assets,
    branches: [],
    routeModules: Object.fromEntries(Object.entries(build.routes).map(([id, route]) => [id, route?.module])),
    serverHandoffString: handoff,
    future,
    ssr,
    routeDiscovery,
    isSpaMode,
  };
  return async (request, loadContext) => {
    const loaded = await load(handler, request, loadContext);
    if (loaded === null) return null;
    const { loaderData, actionData, errors, statusCode: status } = loaded;
    const data = serializePageData({ loaderData, actionData, errors });
    if (data === null) return null;
    const context: EntryContext = {
      ...fixed,
      staticHandlerContext: loaded,
      renderMeta: {},
      serializeError: (error) => error,
    };
    try {
      const headers = readHeaders(build, loaded);
      return { status, headers, page: { ...renderDocument(request, status, context, loadContext), data, handoff } };
    } catch {
      // React Router's handler will fail too, log it, and render the error page.
      return null;
    }
  };
}

/** Null for errors and redirects. */
async function load(handler: StaticHandler, request: Request, requestContext: RouterContextProvider) {
  const loaded = await handler.query(request, { requestContext });
  return loaded instanceof Response || loaded.errors !== null ? null : loaded;
}

/** Headers of the innermost route, as React Router's request handler takes them. */
function readHeaders(
  { routes }: ServerBuild,
  { matches, loaderHeaders }: StaticHandlerContext,
): Record<string, string> {
  const id = matches.at(-1)?.route.id ?? '';
  const own = routes[id]?.module.headers;
  if (own === undefined) return {};
  const [parentHeaders, actionHeaders] = [new Headers(), new Headers()];
  const args = { loaderHeaders: loaderHeaders[id] ?? new Headers(), parentHeaders, actionHeaders };
  return Object.fromEntries(new Headers(typeof own === 'function' ? own({ ...args, errorHeaders: undefined }) : own));
}

/** Route objects with loaders only: a GET needs nothing else. */
function listRoutesBelow(routes: ServerBuild['routes'], parentId: string | undefined): Routes {
  const below = Object.values(routes).filter(
    (route): route is Route => route !== undefined && route.parentId === parentId,
  );
  return below.map(({ id, path, index, caseSensitive, module: { loader, handle } }) => {
    const common = { id, ...(path === undefined ? {} : { path }), ...(loader ? { loader } : {}), handle };
    if (index) return { ...common, index };
    return {
      ...common,
      ...(caseSensitive === undefined ? {} : { caseSensitive }),
      children: listRoutesBelow(routes, id),
    };
  });
}
