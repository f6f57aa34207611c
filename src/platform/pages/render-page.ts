/** Lets React Router answer: Fastify's request becomes its request, and its response a page to be sent. */
import type { FastifyRequest } from 'fastify';
import type { HandleErrorFunction, ServerBuild } from 'react-router';
import { createRequestHandler, isRouteErrorResponse, RouterContextProvider } from 'react-router';
import type { PageAnswer } from './page-cache.ts';
import type { PageSource } from './page-source.ts';
import { refusalOf } from '#src/platform/http/api.ts';
import { bundleOf } from './page-bundle.ts';
import type { RenderedPage } from './page-bundle.ts';
import { quickPages } from './quick-page.ts';
import type { RenderQuickly } from './quick-page.ts';
import { SentBytes } from './sent-bytes.ts';

const HTML = 'text/html; charset=utf-8';
export const LAST_RESORT =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Something went wrong</title></head><body><h1>Something went wrong</h1>' +
  '<p>Please <a href="">try again</a> in a moment.</p></body></html>';

/** Sent with a page that cannot be made for the moment. */
export const RETRY_AFTER_SECONDS = '5';

/** React Router sets these for a server that streams; here they are set when the page is sent. */
const SET_LATER = new Set(['set-cookie', 'cache-control', 'content-length', 'transfer-encoding']);

export interface RenderOptions {
  readonly source: PageSource;
  /** The shop's own origin, as in PUBLIC_URL; what a request says of its host is not believed. */
  readonly origin: string;
  /** Origins that may send forms: localhost beside 127.0.0.1. */
  readonly formOrigins: readonly string[];
  readonly onFault: (error: unknown, request: FastifyRequest) => void;
}

export interface PageWanted {
  /** Path and query that it is rendered for. */
  readonly address: string;
  /** The same for everybody: its scripts may start late, and no header of the request reaches it. */
  readonly isPublic: boolean;
  /** What loaders find under the bundle's `pageContext`. */
  readonly context: unknown;
}

export async function renderPage(
  request: FastifyRequest,
  { address, isPublic, context }: PageWanted,
  options: RenderOptions,
): Promise<PageAnswer> {
  const { source } = options;
  const build = await source.load();
  const provider = new RouterContextProvider();
  provider.set(bundleOf(build).pageContext, context);
  requests.set(provider, request);
  const asked = webRequest(request, new URL(options.origin + address), isPublic);
  const { quickly, handle } = handlersOf(build, options);
  const isRead = asked.method === 'GET' && !asked.url.includes('.data') && !source.isDevelopment;
  const quick = isRead ? await quickly(asked, provider) : null;
  if (quick) return pageAnswer(quick, { status: quick.status, headers: {}, cookies: [] }, { source, isPublic });
  const response = await handle(asked, provider);

  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) if (!SET_LATER.has(name)) headers[name] = value;
  const isUnavailable = response.status >= 500 && unavailable.has(request);
  if (isUnavailable) headers['retry-after'] = RETRY_AFTER_SECONDS;
  const status = isUnavailable ? 503 : response.status;
  const answer = { status, headers, cookies: response.headers.getSetCookie() };
  if (holdsPage(response)) return pageAnswer(response, answer, { source, isPublic });
  const body = Buffer.from(await response.arrayBuffer());
  // The page could not be made, and the error page neither.
  if (body.length === 0 && response.status >= 500) {
    headers['content-type'] = HTML;
    return { ...answer, body: new SentBytes(Buffer.from(LAST_RESORT)) };
  }
  return { ...answer, body: new SentBytes(body) };
}

function pageAnswer(
  { page }: { readonly page: RenderedPage },
  answer: Omit<PageAnswer, 'body'>,
  { source, isPublic }: { readonly source: PageSource; readonly isPublic: boolean },
): PageAnswer {
  const { html, policy } = source.finish(page, isPublic);
  const headers = { ...answer.headers, 'content-type': HTML, 'content-security-policy': policy };
  return { ...answer, headers, body: new SentBytes(html) };
}

/** The bundle's entry answers a page in its parts; anything else is a response like others. */
function holdsPage(response: Response): response is Response & { readonly page: RenderedPage } {
  return 'page' in response;
}

interface Handlers {
  readonly quickly: RenderQuickly;
  readonly handle: (request: Request, context: RouterContextProvider) => Promise<Response>;
}

/** Making one reads all routes: once for a build. */
const handlers = new WeakMap<ServerBuild, Handlers>();
/** Whose page a loader failed on. */
const requests = new WeakMap<object, FastifyRequest>();
/** Whose page failed because the database is away or full: another try may succeed. */
const unavailable = new WeakSet<FastifyRequest>();

/** Whether a page failed for the moment only. */
export function isForTheMoment(error: unknown): boolean {
  const isRefused = error instanceof Error && error.name === 'ApiFailure' && 'status' in error && error.status === 503;
  return isRefused || refusalOf(error).status === 503;
}

function handlersOf(build: ServerBuild, options: RenderOptions): Handlers {
  const known = handlers.get(build);
  if (known) return known;
  const handleError: HandleErrorFunction = (error, { context }) => {
    const request = requests.get(context);
    if (request && isForTheMoment(error)) unavailable.add(request);
    // A method or an address that the routes do not know is the caller's affair.
    if (request && (!isRouteErrorResponse(error) || error.status >= 500)) options.onFault(error, request);
  };
  const own: ServerBuild = {
    ...build,
    allowedActionOrigins: options.formOrigins.map((origin) => new URL(origin).host),
    entry: { module: { ...build.entry.module, handleError } },
  };
  const handle = createRequestHandler(own, options.source.isDevelopment ? 'development' : 'production');
  const made = { quickly: quickPages(build), handle };
  handlers.set(build, made);
  return made;
}

function webRequest(request: FastifyRequest, url: URL, isPublic: boolean): Request {
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
