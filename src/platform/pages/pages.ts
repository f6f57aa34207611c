/** Serves the pages: from the page cache where they are the same for every visitor, else rendered. See README.md. */
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '#src/platform/http/call.ts';
import { isAborted } from '#src/platform/http/client-abort.ts';
import { PUBLIC_CACHE_CONTROL } from './cached-page-handler.ts';
import { allowOtherSites } from '#src/platform/http/pictures.ts';
import type { Priority } from '#src/platform/http/priority.ts';
import type { LoadShedder } from '#src/platform/http/load-shedder.ts';
import { getCacheKey, findRedirect, getPagePath } from './page-url.ts';
import type { PageResponse, PageCache, Revalidation } from './page-cache.ts';
import type { PageDependencies, RepeatCall } from './page-dependencies.ts';
import type { PageSource } from './page-source.ts';
import { sendErrorPage } from './error-page.ts';
import type { RateLimits } from '#src/platform/http/rate-limits.ts';
import { consumeRenderLimit, consumeRevalidationLimit } from './render-limit.ts';
import { createPatternFinder } from './page-pattern.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import { isTemporaryFailure, FALLBACK_PAGE, renderPage, RETRY_AFTER_SECONDS } from './render-page.ts';
import type { RenderOptions } from './render-page.ts';
import { isStock, PRIVATE_CACHE_CONTROL, sendPage, sendStockPage } from './send-page.ts';
import type { StockResponse } from './send-page.ts';

const FORM_LIMIT_BYTES = 65_536;
const HTML = 'text/html; charset=utf-8';

export interface PageVisit {
  readonly isPrivate: boolean;
  /** Records the API calls of the loaders of a cacheable page; null for other pages. */
  readonly dependencies: PageDependencies | null;
  /** Where the response to a form may set cookies; null for a GET. */
  readonly reply: FastifyReply | null;
}

export interface PagesOptions extends RenderOptions {
  /** Paths whose page depends on the visitor: sent with `private, no-store`. All others are public. */
  readonly isPrivate: (path: string) => boolean;
  /** Query parameters that a public page depends on; null if unknown. */
  readonly listParameters: (path: string) => readonly string[] | null;
  readonly cache: PageCache;
  /** Limits the pages rendered per client. */
  readonly limits: RateLimits;
  readonly shedder: LoadShedder;
  readonly getPriority: (path: string) => Priority;
  /** Available to loaders as `pageContext`. On a public page it must not depend on the visitor. */
  readonly loadContext: (request: FastifyRequest, visit: PageVisit) => unknown;
  /** For the revalidation of cached pages. */
  readonly repeatCall: RepeatCall;
  readonly telemetry: Pick<Telemetry, 'createTimer'>;
}

const NO_FORM = 'The form could not be read.';
const isForm = ({ headers }: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');

export async function registerPages(fastify: FastifyInstance, options: PagesOptions): Promise<void> {
  const { source } = options;
  fastify.addHook('onClose', () => source.close());
  if (source.files !== null) await registerFiles(fastify, source.files);
  const handler = await createHandler(options);
  await fastify.register(async (scope) => {
    // Forms without JavaScript post to pages; React Router parses the body. A page reads nothing else.
    scope.addHook('preHandler', async (request, reply) => {
      if (request.method !== 'POST' || isForm(request)) return;
      await reply.code(415).header('cache-control', PRIVATE_CACHE_CONTROL).type('text/plain').send(NO_FORM);
    });
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      // Handled by the server's error handler.
      if (isAborted(request)) throw error;
      const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
      void reply.header('cache-control', PRIVATE_CACHE_CONTROL);
      if (status < 500) return reply.code(status).type('text/plain').send(NO_FORM);
      options.onError(error, request);
      if (isTemporaryFailure(error)) void reply.header('retry-after', RETRY_AFTER_SECONDS);
      const code = isTemporaryFailure(error) ? 503 : 500;
      return reply.code(code).type(HTML).send(FALLBACK_PAGE);
    });
    scope.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', handler });
  });
}

/** Serves the assets of releases, immutable and compressed at build time, and the public files, revalidated each time. */
async function registerFiles(
  fastify: FastifyInstance,
  { assets, publicDirectory }: NonNullable<PageSource['files']>,
): Promise<void> {
  await fastify.register(fastifyStatic, {
    serve: false,
    preCompressed: true,
    index: false,
    root: assets.ownDirectory,
    maxAge: '365d',
    immutable: true,
  });
  fastify.get<{ Params: { '*': string } }>('/assets/*', (request, reply) => {
    const { '*': name } = request.params;
    const directory = assets.find(name);
    if (directory !== null) return reply.sendFile(name, directory);
    // Another process may have it: nobody may store this response.
    reply.header('cache-control', 'no-store').callNotFound();
    return reply;
  });
  await fastify.register(fastifyStatic, {
    index: false,
    root: publicDirectory,
    // One route per file, so all other paths are pages. Pictures are served below /api.
    wildcard: false,
    globIgnore: ['images/**'],
    decorateReply: false,
    setHeaders: allowOtherSites,
  });
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Renders the page at an address: path and query. */
type Render = (request: FastifyRequest, address: string, visit: PageVisit) => Promise<PageResponse | StockResponse>;

function createRender(options: PagesOptions, findPattern: (path: string) => string): Render {
  const timeRender = options.telemetry.createTimer({
    name: 'shop_page_render_duration_seconds',
    help: 'Duration of renders, with the calls of their loaders, by pattern of the page',
    label: 'page',
    span: 'render',
  });
  return async (request, address, visit) => {
    const context = await options.loadContext(request, visit);
    const target = { address, isPublic: !visit.isPrivate && visit.reply === null, context };
    return timeRender(
      () => findPattern(getPagePath(address)),
      () => renderPage(request, target, options),
    );
  };
}

async function createHandler(options: PagesOptions): Promise<Handler> {
  const { cache, source } = options;
  const origins = new Set(options.formOrigins);
  const isCached = source.finish !== null;
  const { routes } = await source.load();
  const routeIds = new Set(isCached ? Object.keys(routes) : []);
  const render = createRender(options, createPatternFinder(routes));
  /** Renders a page for this request only, subject to load shedding. */
  const renderAlone = async (
    request: FastifyRequest,
    reply: FastifyReply,
    visit: PageVisit,
    isForAll: boolean,
  ): Promise<FastifyReply> => {
    const refusal = await consumeRenderLimit(options.limits, request.ip, !isForAll);
    if (refusal) return sendErrorPage(reply, refusal);
    const importance = options.getPriority(getPagePath(request.url));
    const isWanted = (): boolean => !request.raw.socket.destroyed;
    const rendered = await options.shedder.run('render', importance, () => render(request, request.url, visit), {
      isWanted,
    });
    if (!rendered.ok) return sendErrorPage(reply, rendered.refusal);
    if (isStock(rendered.value)) return sendStockPage(request, reply, rendered.value);
    return sendPage(request, reply, rendered.value, { isForAll: isForAll && isCached });
  };
  /** Sends the page from the cache, or renders it once for all concurrent requests. */
  const takeShared = async (request: FastifyRequest, reply: FastifyReply, key: string): Promise<FastifyReply> => {
    const importance = getSharedPriority(request.url, key, options);
    try {
      const revalidation = await revalidate(request, key, options);
      const refusal = cache.has(key) ? null : await consumeRenderLimit(options.limits, request.ip, false);
      if (refusal) return await sendErrorPage(reply, refusal);
      const { response, isHit } = await cache.getOrRender(key, async (parts) => {
        const visit = { isPrivate: false, reply: null, dependencies: parts };
        const rendered = await options.shedder.run('render', importance, () => render(request, key, visit));
        if (rendered.ok && !isStock(rendered.value)) return rendered.value;
        if (rendered.ok) throw new Error('a stock page cannot be cached');
        throw new PageRefusedError(rendered.refusal);
      });
      void reply.header('cache-status', describeCacheUse(isHit, revalidation));
      return await sendPage(request, reply, response, { isForAll: true });
    } catch (error) {
      if (!(error instanceof PageRefusedError)) throw error;
      const recent = error.refusal.status === 503 ? cache.getRecent(key) : null;
      if (recent === null) return sendErrorPage(reply, error.refusal);
      void reply.header('cache-status', 'pages; hit; detail=stale');
      return sendPage(request, reply, recent, { isForAll: true });
    }
  };

  return async (request, reply) => {
    const { url } = request;
    // Unknown API paths are not pages.
    if (/^\/api(?:[/?]|$)/.test(url)) {
      reply.callNotFound();
      return reply;
    }
    const isPost = request.method === 'POST';
    const isPrivate = options.isPrivate(getPagePath(url));
    if (isPost || isPrivate) {
      if (isPost && isCrossOrigin(request, origins)) {
        void reply.code(403).header('cache-control', PRIVATE_CACHE_CONTROL);
        return reply.type('text/plain').send('The form was sent from another site.');
      }
      return renderAlone(request, reply, { isPrivate, dependencies: null, reply: isPost ? reply : null }, false);
    }
    const moved = findRedirect(url);
    if (moved !== null) return reply.header('cache-control', PUBLIC_CACHE_CONTROL).redirect(moved, 301);
    const key = getCacheKey(url, options.listParameters, (id) => routeIds.has(id));
    if (key !== null && isCached) return takeShared(request, reply, key);
    return renderAlone(request, reply, { isPrivate, dependencies: null, reply: null }, true);
  };
}

/**
 * A page that is in the cache comes before those that nobody asked for yet: one render serves all its
 * visitors, and there are only as many as the cache holds.
 */
function getSharedPriority(url: string, key: string, { cache, getPriority }: PagesOptions): Priority {
  const importance = getPriority(getPagePath(url));
  return importance === 'browsing' && cache.getRecent(key) !== null ? 'normal' : importance;
}

/** Revalidates a stale page once for all concurrent requests. @throws PageRefusedError */
async function revalidate({ ip, url }: FastifyRequest, key: string, options: PagesOptions): Promise<Revalidation> {
  const { cache, limits, shedder, repeatCall } = options;
  const refusal = cache.needsRevalidation(key) ? await consumeRevalidationLimit(limits, ip) : null;
  if (refusal) throw new PageRefusedError(refusal);
  return cache.revalidate(key, async (page) => {
    const importance = getSharedPriority(url, key, options);
    const done = await shedder.run('revalidation', importance, () => page.revalidate(repeatCall));
    if (!done.ok) throw new PageRefusedError(done.refusal);
    return done.value;
  });
}

/** The Cache-Status header (RFC 9211). A page that changed is `fwd=stale`, one that was not cached `fwd=miss`. */
function describeCacheUse(isHit: boolean, revalidation: Revalidation): string {
  if (isHit) return revalidation === 'unchanged' ? 'pages; hit; detail=revalidated' : 'pages; hit';
  return revalidation === 'changed' ? 'pages; fwd=stale' : 'pages; fwd=miss';
}

/** Rejects all requests that wait for the same work. */
class PageRefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Browsers send Origin or Sec-Fetch-Site with a form; other clients cannot be forged requests. */
function isCrossOrigin({ headers }: FastifyRequest, origins: ReadonlySet<string>): boolean {
  if (headers.origin !== undefined) return !origins.has(headers.origin);
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}
