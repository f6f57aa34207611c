/** Lets React Router answer: Fastify's request becomes its request, and its response a page to be sent. */
import type { FastifyRequest } from 'fastify';
import type { HandleErrorFunction, RouterContext, ServerBuild } from 'react-router';
import { createRequestHandler, isRouteErrorResponse, RouterContextProvider } from 'react-router';
import type { PageAnswer } from './page-cache.ts';
import type { PageSource } from './page-source.ts';
import type { RenderedPage } from './page-shell.ts';
import { SentBytes } from './sent-bytes.ts';

const HTML = 'text/html; charset=utf-8';
export const LAST_RESORT =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Something went wrong</title></head><body><h1>Something went wrong</h1>' +
  '<p>Please <a href="">try again</a> in a moment.</p></body></html>';

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
  provider.set(contextKeyOf(build), context);
  requests.set(provider, request);
  const response = await handlerOf(build, options)(
    webRequest(request, new URL(options.origin + address), isPublic),
    provider,
  );

  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) if (!SET_LATER.has(name)) headers[name] = value;
  const answer = { status: response.status, headers, cookies: response.headers.getSetCookie() };
  if (holdsPage(response)) {
    const { html, policy } = source.finish(response.page, isPublic);
    headers['content-security-policy'] = policy;
    return { ...answer, body: new SentBytes(Buffer.from(html)) };
  }
  const body = Buffer.from(await response.arrayBuffer());
  // The page could not be made, and the error page neither.
  if (body.length === 0 && response.status >= 500) {
    headers['content-type'] = HTML;
    return { ...answer, body: new SentBytes(Buffer.from(LAST_RESORT)) };
  }
  return { ...answer, body: new SentBytes(body) };
}

/** The bundle's entry answers a page in its parts; anything else is a response like others. */
function holdsPage(response: Response): response is Response & { readonly page: RenderedPage } {
  return 'page' in response;
}

/** The key under which the bundle's own loaders look: it must come from the bundle, which has its own copy of it. */
function contextKeyOf(build: ServerBuild): RouterContext {
  const { module } = build.entry;
  if (!('pageContext' in module) || typeof module.pageContext !== 'object' || module.pageContext === null) {
    throw new Error('entry.server does not export pageContext');
  }
  return module.pageContext;
}

type Handle = (request: Request, context: RouterContextProvider) => Promise<Response>;

/** Making one reads all routes: once for a build. */
const handlers = new WeakMap<ServerBuild, Handle>();
/** Whose page a loader failed on. */
const requests = new WeakMap<object, FastifyRequest>();

function handlerOf(build: ServerBuild, options: RenderOptions): Handle {
  const known = handlers.get(build);
  if (known) return known;
  const handleError: HandleErrorFunction = (error, { context }) => {
    const request = requests.get(context);
    // A method or an address that the routes do not know is the caller's affair.
    if (request && (!isRouteErrorResponse(error) || error.status >= 500)) options.onFault(error, request);
  };
  const own: ServerBuild = {
    ...build,
    allowedActionOrigins: options.formOrigins.map((origin) => new URL(origin).host),
    entry: { module: { ...build.entry.module, handleError } },
  };
  const handle = createRequestHandler(own, options.source.isDevelopment ? 'development' : 'production');
  handlers.set(build, handle);
  return handle;
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
