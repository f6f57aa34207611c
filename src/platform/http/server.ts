/** The HTTP server: limits, headers, logging and errors of every request. */
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Log } from '#src/platform/process/log.ts';
import { toRefusal, sendRefusal } from './api.ts';
import { handleClientError } from './raw-response.ts';
import { createNotFound, createOverloaded, Refusal } from './call.ts';
import { hasAddress, isAborted } from './client-abort.ts';
import { limitConnections } from './connection-limit.ts';
import { isTooDeep } from './json-depth.ts';
import type { CachedPageHandler } from '#src/platform/pages/cached-page-handler.ts';
import { noTelemetry } from '#src/platform/telemetry/telemetry.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import { COMMON_HEADERS } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Whether the response was sent from the page cache. */
    isFromPageCache: boolean;
  }
}

const MAX_BODY_BYTES = 64 * 1024;

export interface ServerOptions {
  readonly log: Log;
  /** Source of the Date header. Countdowns in the browser use it instead of the visitor's clock. */
  readonly clock: Clock;
  /** Number of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: number;
  /** Called first. A request that it does not handle is routed as usual. */
  readonly serveCachedPage?: CachedPageHandler;
  /** Whether an Upgrade is accepted. Otherwise the response is sent over HTTP. */
  readonly isUpgradeAllowed?: (request: IncomingMessage) => boolean;
  /** Maximum open connections, without those of the live channel. */
  readonly maxConnections: number;
  /** Whether the process is about to stop: each connection is closed after its response. */
  readonly isDraining: () => boolean;
  readonly telemetry?: Pick<Telemetry, 'recordRequest' | 'traceRequests'>;
}

/** Interval of the check for slow and idle connections. */
const CONNECTION_CHECK_MS = 2_000;
/** A client that neither reads nor sends for this long is disconnected. */
const STALLED_MS = 120_000;

/** Random bytes for many request ids: 16 bytes cost as much as thousands. */
const randomPool = { pool: Buffer.alloc(16 * 256), used: 16 * 256 };
function takeRandomBytes(): Uint8Array {
  if (randomPool.used === randomPool.pool.length) {
    randomFillSync(randomPool.pool);
    randomPool.used = 0;
  }
  randomPool.used += 16;
  return randomPool.pool.subarray(randomPool.used - 16, randomPool.used);
}

/** The Date header, formatted once a second. */
function createDateHeader(clock: Clock): () => string {
  let [second, text] = [0, ''];
  return () => {
    const now = clock.now();
    const current = Math.floor(now.getTime() / 1000);
    if (current !== second) [second, text] = [current, now.toUTCString()];
    return text;
  };
}

export async function openServer({
  log,
  clock,
  trustedProxies,
  serveCachedPage,
  isUpgradeAllowed,
  maxConnections,
  isDraining,
  telemetry = noTelemetry,
}: ServerOptions): Promise<FastifyInstance> {
  const server = fastify({
    http: {
      connectionsCheckingInterval: CONNECTION_CHECK_MS,
      ...(isUpgradeAllowed ? { shouldUpgradeCallback: isUpgradeAllowed } : {}),
    },
    connectionTimeout: STALLED_MS,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 15_000,
    keepAliveTimeout: 10_000,
    trustProxy: trustedProxies > 0 ? (_address, hop) => hop < trustedProxies : false,
    genReqId: () => uuidv7({ rng: takeRandomBytes }),
    // A request that is sent on an open connection while the server closes is served too.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    // An undecodable path is refused before any hook runs.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...COMMON_HEADERS, 'x-request-id': request.id });
      void sendRefusal(reply, toRefusal(error));
    },
    clientErrorHandler: handleClientError,
  });
  server.server.headersTimeout = 10_000;
  server.decorateReply('isFromPageCache', false);

  server.server.prependListener('request', (_request, response) => {
    if (isDraining()) response.shouldKeepAlive = false;
  });
  const connections = limitConnections(server.server, { maxConnections, log });
  const date = createDateHeader(clock);
  server.addHook('onRequest', (request, reply, done) => {
    if (hasAddress(request)) return done();
    request.raw.destroy();
    return void reply.hijack();
  });
  server.addHook('onRequest', (request, reply, done) => {
    if (!connections.isRefused(request.raw.socket)) return done();
    void reply.headers({ ...COMMON_HEADERS, 'x-request-id': request.id, date: date(), connection: 'close' });
    return void sendRefusal(reply, createOverloaded());
  });
  if (serveCachedPage) {
    server.addHook('onRequest', (request, reply, done) => {
      if (!serveCachedPage(request.raw, reply.raw, ['x-request-id', request.id, 'date', date()])) return done();
      reply.isFromPageCache = true;
      return void reply.hijack();
    });
  }
  // Cached pages are not traced: they read nothing, and a span costs as much as one of them.
  telemetry.traceRequests(server);
  await server.register(cookie);
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients send a content type without a body.
    if (body === '') return done(null, undefined);
    const text = typeof body === 'string' ? body : body.toString('utf8');
    if (isTooDeep(text)) return done(Object.assign(new Error('the JSON nests too deeply'), { statusCode: 400 }));
    return void parseJson(request, text, done);
  });

  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, date: date() });
    done();
  });
  addRequestReport(server, log, telemetry);
  server.setErrorHandler((error, request, reply) => {
    if (isAborted(request)) {
      log.debug({ request_id: request.id }, 'the client closed the connection before the request was complete');
      return sendRefusal(reply, new Refusal(400, 'invalid', 'The request is not complete'));
    }
    const refusal = toRefusal(error);
    if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, 'an unexpected error occurred');
    return sendRefusal(reply, refusal);
  });
  server.setNotFoundHandler((_request, reply) => sendRefusal(reply, createNotFound()));
  return server;
}

/** Reports each request to the log and to the metrics when its response has ended. */
function addRequestReport(
  server: FastifyInstance,
  log: Log,
  { recordRequest }: Pick<Telemetry, 'recordRequest'>,
): void {
  server.addHook('onResponse', (request, reply, done) => {
    // The route template, not the URL: ids and search texts are personal.
    const route = request.routeOptions.url ?? 'none';
    const { method } = request;
    const { elapsedTime, isFromPageCache, statusCode: status } = reply;
    recordRequest?.({ method, route, status, seconds: elapsedTime / 1000, isFromPageCache });
    const fields = { request_id: request.id, method, route, status, ms: Math.round(elapsedTime * 10) / 10 };
    // Refused for now, such as in an overload: an expected answer.
    if (status === 503) log.warn(fields, 'the request failed');
    else if (status >= 500) log.error(fields, 'the request failed');
    else log.debug(fields, 'request');
    done();
  });
}
