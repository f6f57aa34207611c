/** Renders a page: converts Fastify's request to a web Request, and the Response to a page. */
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { HandleErrorFunction, ServerBuild } from 'react-router';
import { createRequestHandler, isRouteErrorResponse, RouterContextProvider } from 'react-router';
import type { PageResponse } from './page-cache.ts';
import type { StockResponse } from './send-page.ts';
import type { PageSource } from './page-source.ts';
import { toRefusal } from '#src/platform/http/api.ts';
import { allowOwnFrames } from '#src/platform/http/security-headers.ts';
import { getPageBundle } from './page-bundle.ts';
import type { RenderedPage } from './page-bundle.ts';
import { getPagePath } from './page-url.ts';
import { createFastRender } from './fast-render.ts';
import type { FastRender } from './fast-render.ts';
import { CompressedBody } from './compressed-body.ts';

const HTML = 'text/html; charset=utf-8';
export const FALLBACK_PAGE =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Something went wrong</title></head><body><h1>Something went wrong</h1>' +
  '<p><a href="">Try again</a> in a moment.</p></body></html>';

/** Sent with a page that failed temporarily. */
export const RETRY_AFTER_SECONDS = '5';

/** Set when the page is sent, not by React Router. */
const IGNORED_HEADERS = new Set(['set-cookie', 'cache-control', 'content-length', 'transfer-encoding']);

export interface RenderOptions {
  readonly source: PageSource;
  /** The origin of PUBLIC_URL. The Host header of a request is never used. */
  readonly origin: string;
  /** Origins allowed to send forms, for example localhost and 127.0.0.1. */
  readonly formOrigins: readonly string[];
  /** Whether pages of the shop may show the page of this path in a frame. */
  readonly isFramed: (path: string) => boolean;
  readonly onError: (error: unknown, request: FastifyRequest) => void;
}

export interface RenderTarget {
  /** Path and query. */
  readonly address: string;
  /** The same for every visitor: rendered without request headers, and hydration is deferred. */
  readonly isPublic: boolean;
  /** Available to loaders as `pageContext`. */
  readonly context: unknown;
}

const POLICY = 'content-security-policy';

export async function renderPage(
  request: FastifyRequest,
  target: RenderTarget,
  options: RenderOptions,
): Promise<PageResponse | StockResponse> {
  const response = await render(request, target, options);
  const { [POLICY]: policy } = response.headers;
  if (policy === undefined || !options.isFramed(getPagePath(target.address))) return response;
  return { ...response, headers: { ...response.headers, [POLICY]: allowOwnFrames(policy) } };
}

async function render(
  request: FastifyRequest,
  { address, isPublic, context }: RenderTarget,
  options: RenderOptions,
): Promise<PageResponse | StockResponse> {
  const { source } = options;
  const build = await source.load();
  const provider = new RouterContextProvider();
  provider.set(getPageBundle(build).pageContext, context);
  requests.set(provider, request);
  const webRequest = toWebRequest(request, new URL(options.origin + address), isPublic);
  const { fastRender, handle } = getHandlers(build, options);
  const isRead = webRequest.method === 'GET' && !webRequest.url.includes('.data');
  const { finish } = source;
  const quick = finish && isRead ? await fastRender(webRequest, provider) : null;
  if (finish && quick) {
    return createPageResponse(
      quick.page,
      { status: quick.status, headers: quick.headers, cookies: [] },
      finish,
      isPublic,
    );
  }
  const response = await handle(webRequest, provider);

  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) if (!IGNORED_HEADERS.has(name)) headers[name] = value;
  const isUnavailable = response.status >= 500 && unavailable.has(request);
  if (isUnavailable) headers['retry-after'] = RETRY_AFTER_SECONDS;
  const status = isUnavailable ? 503 : response.status;
  const head = { status, headers, cookies: response.headers.getSetCookie() };
  if (finish && isPageResponse(response)) return createPageResponse(response.page, head, finish, isPublic);
  if (isStockResponse(response)) {
    headers[POLICY] = source.createStockPolicy(response.nonce);
    return { ...head, body: response.stream };
  }
  const body = Buffer.from(await response.arrayBuffer());
  // Both the page and its error page failed.
  if (body.length === 0 && response.status >= 500) {
    headers['content-type'] = HTML;
    return { ...head, body: new CompressedBody(Buffer.from(FALLBACK_PAGE)) };
  }
  return { ...head, body: new CompressedBody(body) };
}

function createPageResponse(
  page: RenderedPage,
  head: Omit<PageResponse, 'body'>,
  finish: NonNullable<PageSource['finish']>,
  isPublic: boolean,
): PageResponse {
  const { html, policy } = finish(page, isPublic);
  const headers = { ...head.headers, 'content-type': HTML, [POLICY]: policy };
  return { ...head, headers, body: new CompressedBody(html) };
}

/** The engine's entry returns the parts of a page; data requests and redirects are plain responses. */
function isPageResponse(response: Response): response is Response & { readonly page: RenderedPage } {
  return 'page' in response;
}

/** The stock entry streams a page and names the nonce of its scripts. */
function isStockResponse(
  response: Response,
): response is Response & { readonly nonce: string; readonly stream: Readable } {
  return 'nonce' in response && 'stream' in response;
}

interface Handlers {
  readonly fastRender: FastRender;
  readonly handle: (request: Request, context: RouterContextProvider) => Promise<Response>;
}

/** Created once per shop and build, since it reads all routes. Development has many builds. */
const handlers = new WeakMap<RenderOptions, WeakMap<ServerBuild, Handlers>>();
/** The request of a load context, for error logs. */
const requests = new WeakMap<object, FastifyRequest>();
/** Requests that failed because the database is unavailable or full. */
const unavailable = new WeakSet<FastifyRequest>();

/** Whether a retry may succeed. */
export function isTemporaryFailure(error: unknown): boolean {
  const isRefused = error instanceof Error && error.name === 'ApiFailure' && 'status' in error && error.status === 503;
  return isRefused || toRefusal(error).status === 503;
}

function getHandlers(build: ServerBuild, options: RenderOptions): Handlers {
  const ofShop = handlers.get(options) ?? new WeakMap<ServerBuild, Handlers>();
  handlers.set(options, ofShop);
  const known = ofShop.get(build);
  if (known) return known;
  const handleError: HandleErrorFunction = (error, { context }) => {
    const request = requests.get(context);
    if (request && isTemporaryFailure(error)) unavailable.add(request);
    // Unknown paths and methods are client errors and not logged.
    if (request && (!isRouteErrorResponse(error) || error.status >= 500)) options.onError(error, request);
  };
  const own: ServerBuild = {
    ...build,
    allowedActionOrigins: options.formOrigins.map((origin) => new URL(origin).host),
    entry: { module: { ...build.entry.module, handleError } },
  };
  const handle = createRequestHandler(own, options.source.isDevelopment ? 'development' : 'production');
  const created = { fastRender: createFastRender(build), handle };
  ofShop.set(build, created);
  return created;
}

function toWebRequest(request: FastifyRequest, url: URL, isPublic: boolean): Request {
  // A cached page must not depend on the headers of the first visitor.
  if (isPublic) return new Request(url);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) headers.append(name, item);
  }
  // A HEAD is handled as a GET for the same length and ETag; Node omits the body.
  if (request.method !== 'POST') return new Request(url, { headers });
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(url, { method: 'POST', headers, body });
}
