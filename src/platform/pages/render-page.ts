/** Lets React Router answer: Fastify's request becomes its request, and its response a page to be sent. */
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { HandleErrorFunction, ServerBuild } from 'react-router';
import { createRequestHandler, isRouteErrorResponse, RouterContextProvider } from 'react-router';
import type { PageResponse } from './page-cache.ts';
import type { StockResponse } from './send-page.ts';
import type { PageSource } from './page-source.ts';
import { toRefusal } from '#src/platform/http/api.ts';
import { getPageBundle } from './page-bundle.ts';
import type { RenderedPage } from './page-bundle.ts';
import { createFastRender } from './fast-render.ts';
import type { FastRender } from './fast-render.ts';
import { CompressedBody } from './compressed-body.ts';

const HTML = 'text/html; charset=utf-8';
export const FALLBACK_PAGE =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Something went wrong</title></head><body><h1>Something went wrong</h1>' +
  '<p>Please <a href="">try again</a> in a moment.</p></body></html>';

/** Sent with a page that cannot be made for the moment. */
export const RETRY_AFTER_SECONDS = '5';

/** React Router sets these for a server that streams; here they are set when the page is sent. */
const IGNORED_HEADERS = new Set(['set-cookie', 'cache-control', 'content-length', 'transfer-encoding']);

export interface RenderOptions {
  readonly source: PageSource;
  /** The shop's own origin, as in PUBLIC_URL; what a request says of its host is not believed. */
  readonly origin: string;
  /** Origins that may send forms: localhost beside 127.0.0.1. */
  readonly formOrigins: readonly string[];
  readonly onError: (error: unknown, request: FastifyRequest) => void;
}

export interface RenderTarget {
  /** Path and query that it is rendered for. */
  readonly address: string;
  /** The same for everybody: its scripts may start late, and no header of the request reaches it. */
  readonly isPublic: boolean;
  /** What loaders find under the bundle's `pageContext`. */
  readonly context: unknown;
}

export async function renderPage(
  request: FastifyRequest,
  { address, isPublic, context }: RenderTarget,
  options: RenderOptions,
): Promise<PageResponse | StockResponse> {
  const { source } = options;
  const build = await source.load();
  const provider = new RouterContextProvider();
  provider.set(getPageBundle(build).pageContext, context);
  requests.set(provider, request);
  const asked = toWebRequest(request, new URL(options.origin + address), isPublic);
  const { fastRender, handle } = getHandlers(build, options);
  const isRead = asked.method === 'GET' && !asked.url.includes('.data');
  const { finish } = source;
  const quick = finish && isRead ? await fastRender(asked, provider) : null;
  if (finish && quick) {
    return createPageResponse(quick.page, { status: quick.status, headers: {}, cookies: [] }, finish, isPublic);
  }
  const response = await handle(asked, provider);

  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) if (!IGNORED_HEADERS.has(name)) headers[name] = value;
  const isUnavailable = response.status >= 500 && unavailable.has(request);
  if (isUnavailable) headers['retry-after'] = RETRY_AFTER_SECONDS;
  const status = isUnavailable ? 503 : response.status;
  const answer = { status, headers, cookies: response.headers.getSetCookie() };
  if (finish && isPageResponse(response)) return createPageResponse(response.page, answer, finish, isPublic);
  if (isStockResponse(response)) {
    headers['content-security-policy'] = source.createStockPolicy(response.nonce);
    return { ...answer, body: response.stream };
  }
  const body = Buffer.from(await response.arrayBuffer());
  // The page could not be made, and the error page neither.
  if (body.length === 0 && response.status >= 500) {
    headers['content-type'] = HTML;
    return { ...answer, body: new CompressedBody(Buffer.from(FALLBACK_PAGE)) };
  }
  return { ...answer, body: new CompressedBody(body) };
}

function createPageResponse(
  page: RenderedPage,
  answer: Omit<PageResponse, 'body'>,
  finish: NonNullable<PageSource['finish']>,
  isPublic: boolean,
): PageResponse {
  const { html, policy } = finish(page, isPublic);
  const headers = { ...answer.headers, 'content-type': HTML, 'content-security-policy': policy };
  return { ...answer, headers, body: new CompressedBody(html) };
}

/** The bundle's entry answers a page in its parts; anything else is a response like others. */
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

/** Making one reads all routes: once for a build. */
const handlers = new WeakMap<ServerBuild, Handlers>();
/** Whose page a loader failed on. */
const requests = new WeakMap<object, FastifyRequest>();
/** Whose page failed because the database is away or full: another try may succeed. */
const unavailable = new WeakSet<FastifyRequest>();

/** Whether a page failed for the moment only. */
export function isTemporaryFailure(error: unknown): boolean {
  const isRefused = error instanceof Error && error.name === 'ApiFailure' && 'status' in error && error.status === 503;
  return isRefused || toRefusal(error).status === 503;
}

function getHandlers(build: ServerBuild, options: RenderOptions): Handlers {
  const known = handlers.get(build);
  if (known) return known;
  const handleError: HandleErrorFunction = (error, { context }) => {
    const request = requests.get(context);
    if (request && isTemporaryFailure(error)) unavailable.add(request);
    // A method or an address that the routes do not know is the caller's affair.
    if (request && (!isRouteErrorResponse(error) || error.status >= 500)) options.onError(error, request);
  };
  const own: ServerBuild = {
    ...build,
    allowedActionOrigins: options.formOrigins.map((origin) => new URL(origin).host),
    entry: { module: { ...build.entry.module, handleError } },
  };
  const handle = createRequestHandler(own, options.source.isDevelopment ? 'development' : 'production');
  const made = { fastRender: createFastRender(build), handle };
  handlers.set(build, made);
  return made;
}

function toWebRequest(request: FastifyRequest, url: URL, isPublic: boolean): Request {
  // A page for everybody is made without knowing who asked first.
  if (isPublic) return new Request(url);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  // A HEAD is answered like a GET, so that length and ETag are the page's own; Node leaves the body out.
  if (request.method !== 'POST') return new Request(url, { headers });
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(url, { method: 'POST', headers, body });
}
