/** The HTTP server: what holds for every request, whatever it asks for. */
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
import { notFound, overloaded, Refusal } from './call.ts';
import { isAborted } from './client-abort.ts';
import { limitConnections } from './connection-limit.ts';
import type { CachedPageHandler } from '#src/platform/pages/cached-page-handler.ts';
import { COMMON_HEADERS } from './security-headers.ts';

const MAX_BODY_BYTES = 64 * 1024;

export interface ServerOptions {
  readonly log: Log;
  /** The time that answers carry: countdowns in the browser run by it, not by the visitor's own clock. */
  readonly clock: Clock;
  /** How many proxies in front of the shop are believed about the client's address. */
  readonly trustedProxies: number;
  /** Asked first of all, with the headers of the answer; what it does not answer goes the usual way. */
  readonly serveCachedPage?: CachedPageHandler;
  /** Whether a request that asks for another protocol gets it; all others are answered in this one. */
  readonly isUpgradeAllowed?: (request: IncomingMessage) => boolean;
  /** Open connections at most, those of the live channel not counted. */
  readonly maxConnections: number;
}

/** How often slow and idle connections are looked for. */
const CONNECTION_CHECK_MS = 2_000;
/** A client that neither reads nor sends for so long is disconnected. */
const STALLED_MS = 120_000;

/** Random bytes for the ids of requests, fetched for many at once: asking for 16 costs as much as asking for thousands. */
const randomPool = { pool: Buffer.alloc(16 * 256), used: 16 * 256 };
function takeRandomBytes(): Uint8Array {
  if (randomPool.used === randomPool.pool.length) {
    randomFillSync(randomPool.pool);
    randomPool.used = 0;
  }
  randomPool.used += 16;
  return randomPool.pool.subarray(randomPool.used - 16, randomPool.used);
}

/** The time as HTTP writes it: to the second, so it is written once a second. */
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
    // Answers 503 to what still arrives on open connections while the server closes.
    return503OnClosing: true,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    // A path that cannot be decoded is answered before any hook runs.
    frameworkErrors: (error, request, reply) => {
      void reply.headers({ ...COMMON_HEADERS, 'x-request-id': request.id });
      void sendRefusal(reply, toRefusal(error));
    },
    clientErrorHandler: handleClientError,
  });
  server.server.headersTimeout = 10_000;

  const connections = limitConnections(server.server, { maxConnections, log });
  const date = createDateHeader(clock);
  server.addHook('onRequest', (request, reply, done) => {
    if (!connections.isRefused(request.raw.socket)) return done();
    void reply.headers({ ...COMMON_HEADERS, 'x-request-id': request.id, date: date(), connection: 'close' });
    return void sendRefusal(reply, overloaded());
  });
  if (serveCachedPage) {
    server.addHook('onRequest', (request, reply, done) => {
      if (serveCachedPage(request.raw, reply.raw, ['x-request-id', request.id, 'date', date()])) reply.hijack();
      else done();
    });
  }
  await server.register(cookie);
  server.removeAllContentTypeParsers();
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients that always send the type also send it with nothing behind it.
    if (body === '') done(null, undefined);
    else void parseJson(request, typeof body === 'string' ? body : body.toString('utf8'), done);
  });

  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers({ 'x-request-id': request.id, date: date() });
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const fields = {
      request_id: request.id,
      method: request.method,
      // The template, not the URL: ids and search texts are the visitor's business.
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (reply.statusCode >= 500) log.error(fields, 'the request failed');
    else log.debug(fields, 'request');
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    if (isAborted(request)) {
      log.debug({ request_id: request.id }, 'the client closed the connection before the request was complete');
      return sendRefusal(reply, new Refusal(400, 'invalid', 'The request is not complete'));
    }
    const refusal = toRefusal(error);
    if (refusal.status >= 500) log.error({ request_id: request.id, err: error }, 'an unexpected error occurred');
    return sendRefusal(reply, refusal);
  });
  server.setNotFoundHandler((_request, reply) => sendRefusal(reply, notFound()));
  return server;
}
