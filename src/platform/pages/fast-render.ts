/**
 * A page that goes well, with less work than React Router's own handler takes: loaders, one rendering, and the data written
 * in one go. Whatever is not as simple as that (a form, what fails, data that is not plain) is its handler's.
 */
import type { EntryContext, RouterContextProvider, ServerBuild, StaticHandler } from 'react-router';
import { createStaticHandler } from 'react-router';
import { getPageBundle } from './page-bundle.ts';
import type { RenderedPage } from './page-bundle.ts';
import { serializePageData } from './page-data.ts';

type Routes = Parameters<typeof createStaticHandler>[0];
type Route = NonNullable<ServerBuild['routes'][string]>;

interface FastRenderResult {
  readonly status: number;
  readonly page: RenderedPage;
}

/** Null for what is left to React Router's own handler. */
export type FastRender = (request: Request, loadContext: RouterContextProvider) => Promise<FastRenderResult | null>;

export function createFastRender(build: ServerBuild): FastRender {
  const handler = createStaticHandler(routesBelow(build.routes, undefined));
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
      return { status, page: { ...renderDocument(request, status, context, loadContext), data, handoff } };
    } catch {
      // It fails there too, and is told and shown there.
      return null;
    }
  };
}

/** Null where something failed or leads elsewhere. */
async function load(handler: StaticHandler, request: Request, requestContext: RouterContextProvider) {
  const loaded = await handler.query(request, { requestContext });
  return loaded instanceof Response || loaded.errors !== null ? null : loaded;
}

/** The routes with their loaders alone: nothing else of them runs for a page that is only read. */
function routesBelow(routes: ServerBuild['routes'], parentId: string | undefined): Routes {
  const below = Object.values(routes).filter(
    (route): route is Route => route !== undefined && route.parentId === parentId,
  );
  return below.map(({ id, path, index, caseSensitive, module: { loader, handle } }) => {
    const common = { id, ...(path === undefined ? {} : { path }), ...(loader ? { loader } : {}), handle };
    if (index) return { ...common, index };
    return { ...common, ...(caseSensitive === undefined ? {} : { caseSensitive }), children: routesBelow(routes, id) };
  });
}
