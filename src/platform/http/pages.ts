/** Serves the pages: Fastify's request becomes React Router's, and its answer Fastify's. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouterContext, ServerBuild } from 'react-router';
import { createRequestHandler, isRouteErrorResponse, RouterContextProvider } from 'react-router';
import type { PageSource } from './page-source.ts';
import { inlineSources, pagePolicy } from './security-headers.ts';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const FORM_LIMIT_BYTES = 65_536;
const WORTH_COMPRESSING_BYTES = 512;
const HTML = 'text/html; charset=utf-8';
const LAST_RESORT =
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Something went wrong</title></head><body><h1>Something went wrong</h1>' +
  '<p>Please <a href="">try again</a> in a moment.</p></body></html>';

export interface PagesOptions {
  readonly source: PageSource;
  /** The shop's own origin, as in PUBLIC_URL; what a request says of its host is not believed. */
  readonly origin: string;
  /** Further origins that may send forms: localhost beside 127.0.0.1. */
  readonly formOrigins: readonly string[];
  /** Paths whose page depends on the visitor: sent with `private, no-store`. All others are the same for everybody. */
  readonly isPrivate: (path: string) => boolean;
  /** What loaders find under the bundle's `pageContext`; on a public page it must not depend on the visitor. */
  readonly loadContext: (request: FastifyRequest, visibility: { isPrivate: boolean }) => unknown;
  readonly onFault: (error: unknown, request: FastifyRequest) => void;
}

export async function registerPages(fastify: FastifyInstance, options: PagesOptions): Promise<void> {
  const { source } = options;
  fastify.addHook('onClose', () => source.close());
  if (source.files !== null) await registerFiles(fastify, source.files);
  await fastify.register(async (scope) => {
    // A form without JavaScript comes to a page like this; React Router reads the body itself.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: FORM_LIMIT_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      options.onFault(error, request);
      return reply.code(500).header('cache-control', 'private, no-store').type(HTML).send(LAST_RESORT);
    });
    scope.route({
      method: ['GET', 'HEAD', 'POST'],
      url: '/*',
      handler: (request, reply) => answerPage(request, reply, options),
    });
  });
}

/** The build's files, kept for good and compressed when they were built; the others are asked for again each time. */
async function registerFiles(
  fastify: FastifyInstance,
  { assetsDirectory, publicDirectory }: NonNullable<PageSource['files']>,
): Promise<void> {
  await fastify.register(fastifyStatic, {
    preCompressed: true,
    index: false,
    root: assetsDirectory,
    prefix: '/assets/',
    maxAge: '365d',
    immutable: true,
  });
  await fastify.register(fastifyStatic, {
    index: false,
    root: publicDirectory,
    // A route a file, so that every other path is a page's. Pictures are served below /api.
    wildcard: false,
    globIgnore: ['images/**'],
    decorateReply: false,
  });
}

/**
 * The path of the page that is asked for. `/cart.data` and `/_.data` are what the browser fetches when it goes to
 * `/cart` and `/`; case and escapes make no difference, as they make none to the routes.
 */
export function pathOfPage(url: string): string {
  const path = (url.split('?', 1)[0] ?? '/').replace(/\/_\.data$/, '/').replace(/\.data$/, '');
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return path.toLowerCase();
  }
}

async function answerPage(request: FastifyRequest, reply: FastifyReply, options: PagesOptions): Promise<FastifyReply> {
  // What the API does not know is no page either.
  if (/^\/api(?:[/?]|$)/.test(request.url)) {
    reply.callNotFound();
    return reply;
  }
  if (isForeignForm(request)) return reply.code(403).type('text/plain').send('This form did not come from the shop.');
  const build = await options.source.load();
  const isPrivate = options.isPrivate(pathOfPage(request.url));
  const context = new RouterContextProvider();
  context.set(contextKeyOf(build), await options.loadContext(request, { isPrivate }));
  const handle = createRequestHandler(
    withOptions(build, request, options),
    options.source.isDevelopment ? 'development' : 'production',
  );
  const response = await handle(webRequest(request, options.origin), context);

  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  const mayBeKept = !isPrivate && response.status < 500 && request.method !== 'POST';
  reply.header('cache-control', mayBeKept ? 'public, max-age=0, must-revalidate' : 'private, no-store');

  let body = Buffer.from(await response.arrayBuffer());
  // The page could not be made, and the error page neither.
  if (body.length === 0 && response.status >= 500) return reply.type(HTML).send(LAST_RESORT);
  if (response.headers.get('content-type')?.startsWith('text/html') === true) {
    const html = options.source.finish(body.toString('utf8'));
    body = Buffer.from(html);
    reply.header(
      'content-security-policy',
      options.source.isDevelopment ? DEVELOPMENT_POLICY : pagePolicy(inlineSources(html)),
    );
  }
  return sendBody(request, reply, body, { mayBeKept });
}

// Vite puts its own scripts and styles into the page.
const DEVELOPMENT_POLICY = `default-src 'self' 'unsafe-inline' data: ws:; frame-ancestors 'none'`;

function isForeignForm(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return request.method === 'POST' && site !== undefined && site !== 'same-origin';
}

/** The key under which the bundle's own loaders look: it must come from the bundle, which has its own copy of it. */
function contextKeyOf(build: ServerBuild): RouterContext {
  const { module } = build.entry;
  if (!('pageContext' in module) || typeof module.pageContext !== 'object' || module.pageContext === null) {
    throw new Error('entry.server does not export pageContext');
  }
  return module.pageContext;
}

function withOptions(build: ServerBuild, request: FastifyRequest, options: PagesOptions): ServerBuild {
  const handleError = (error: unknown): void => {
    // A method or an address that the routes do not know is the caller's affair.
    if (!isRouteErrorResponse(error) || error.status >= 500) options.onFault(error, request);
  };
  return {
    ...build,
    allowedActionOrigins: options.formOrigins.map((origin) => new URL(origin).host),
    entry: { module: { ...build.entry.module, handleError } },
  };
}

function webRequest(request: FastifyRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  const url = new URL(origin + request.url);
  // A HEAD is answered like a GET, so that length and ETag are the page's own; Node leaves the body out.
  if (request.method !== 'POST') return new Request(url, { headers });
  const body = Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(url, { method: 'POST', headers, body });
}

async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  { mayBeKept }: { mayBeKept: boolean },
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding');
  if (mayBeKept && reply.statusCode === 200) {
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
    reply.header('etag', etag);
    if (request.headers['if-none-match']?.split(/,\s*/).includes(etag) === true) return reply.code(304).send();
  }
  const accepted = request.headers['accept-encoding'] ?? '';
  if (body.length < WORTH_COMPRESSING_BYTES) return reply.send(body);
  if (/\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(await brotli(body, BROTLI));
  if (/\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(await gzipped(body));
  return reply.send(body);
}
