/** Mounts contracts and their routes on Fastify below `/api`, and offers the same calls to loaders in this process. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Clock } from '#src/platform/process/clock.ts';
import { isDatabaseUnavailable, isDiskFullError, isStatementTimeout } from '#src/platform/database/database.ts';
import { getDeviceCookieName } from '#src/platform/security/devices/devices.ts';
import type { SecurityLog } from '#src/platform/security/security-log.ts';
import {
  checkAccess,
  createInvalidApiKey,
  createNotFound,
  createTooOften,
  createUnauthenticated,
  Download,
  executeRoute,
  Refusal,
} from './call.ts';
import type { AccessRule, AnyRoute, Caller, Identity, Outcome, RawInput, ClientReply } from './call.ts';
import { isApiKey } from '#src/platform/security/api-key-token.ts';
import { toClientKey } from './client-key.ts';
import { noteCaller, registerBinaryRoute } from './binary-route.ts';
import { isForgedRequest } from './csrf.ts';
import type { Contract, Endpoint } from './endpoint.ts';
import type { Priority } from './priority.ts';
import { ResponseCache, sendCached } from '#src/platform/pages/response-cache.ts';
import type { LoadShedder } from './load-shedder.ts';
import { consumeAll } from './rate-limits.ts';
import type { Limit, RateLimits } from './rate-limits.ts';
import { SecurityEventRecorder } from './security-event-recorder.ts';
import { sendDownload } from './send-download.ts';

export const GUEST_COOKIE = 'guest_user_id';

/** `__Host-` binds the cookie to this host, but browsers accept it over HTTPS only. */
export const getSessionCookieName = (isHttps: boolean): string => (isHttps ? '__Host-session' : 'session');

/** Holds a login that lacks the second factor. */
export const getPendingLoginCookieName = (isHttps: boolean): string =>
  isHttps ? '__Host-pending_login' : 'pending_login';

export interface ApiOptions {
  readonly contract: Contract;
  readonly routes: Readonly<Record<string, AnyRoute>>;
  /** The rules that routes name as `who`. */
  readonly accessRules: Readonly<Record<string, AccessRule>>;
  /** Finds the session of a token. A token of a browser needs its cookie too. Null if invalid. */
  readonly identify: (bearer: string, sessionCookie: string | null) => Promise<Identity | null>;
  readonly limits: RateLimits;
  /** For all calls of an API key together. */
  readonly apiKeyLimit: Limit;
  readonly shedder: LoadShedder;
  /** Responses of all calls with a version. */
  readonly responseCache: ResponseCache;
  readonly getPriority: (key: string) => Priority;
  /** Origins that may send writes. */
  readonly origins: ReadonlySet<string>;
  readonly isHttps: boolean;
  /** Whether the remaining disk space is reserved for payments. Then writes are refused, except those of staff. */
  readonly isDiskFull: () => boolean;
  /** Keys of writing calls that are allowed anyway. */
  readonly allowedWhenDiskFull: ReadonlySet<string>;
  readonly clock: Clock;
  readonly securityLog: SecurityLog;
}

/**
 * A call within the process; takes and returns wire values. With a reply it is an action of the
 * visitor, such as a form: it may set cookies and counts against rate limits.
 */
export type InProcessCall = (
  key: string,
  input: Partial<RawInput>,
  caller: Caller,
  reply: ClientReply | null,
) => Promise<Outcome>;

interface Entry {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly route: AnyRoute;
  /** Null for calls of anyone. */
  readonly rule: AccessRule | null;
  readonly priority: Priority;
}

function listEntries({ contract, routes, accessRules, getPriority }: ApiOptions): Entry[] {
  return Object.entries(contract).map(([key, endpoint]) => {
    const [method = '', path = ''] = key.split(' ');
    const route = routes[key];
    if (!route) throw new Error(`no route for ${key}`);
    const rule = route.who === 'anyone' ? null : accessRules[route.who];
    if (rule === undefined) throw new Error(`no access rule ${route.who} for ${key}`);
    return { key, method, path, endpoint, route, rule, priority: getPriority(key) };
  });
}

const readHeader = (request: FastifyRequest, name: string): string | null => {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
};

function readBearer(request: FastifyRequest): string | null {
  const authorization = readHeader(request, 'authorization');
  if (authorization === null) return null;
  return /^Bearer ([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1] ?? '';
}

export function createReply(reply: FastifyReply, isHttps: boolean): ClientReply {
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps } as const;
  return {
    header: (name, value) => void reply.header(name, value),
    setCookie: (name, value, maxAge) => void reply.setCookie(name, value, { ...attributes, maxAge }),
    clearCookie: (name) => void reply.clearCookie(name, attributes),
  };
}

/** Sends a refusal. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, endpoint?: Endpoint): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', String(refusal.retryAfterSeconds));
  const body = endpoint?.hasErrorMessage ? { message: 'error', ...refusal.body } : refusal.body;
  return reply.code(refusal.status).header('cache-control', 'no-store').send(body);
}

export function registerApi(fastify: FastifyInstance, options: ApiOptions): InProcessCall {
  const entries = listEntries(options);
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  for (const entry of entries) {
    const route: RouteOptions = {
      method: entry.method,
      url: `/api${entry.path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ...createBodyOptions(entry, options),
      handler: (request, reply) => handleRequest(entry, options, request, reply),
    };
    const { maxOpen, maxOpenOfCaller } = entry.route;
    const limits = { maxOpen, maxOpenOfCaller, sendRefusal };
    if (entry.endpoint.bodyType === 'binary') registerBinaryRoute(fastify, route, limits);
    else fastify.route(route);
  }
  return async (key, input, caller, reply) => {
    const entry = byKey.get(key);
    if (!entry) throw new Error(`no route for ${key}`);
    const notes = new SecurityEventRecorder(options.securityLog, entry, caller);
    const raw = { params: input.params ?? {}, query: input.query ?? {}, body: input.body };
    const refusal = findRefusal(entry, options, caller) ?? (reply && (await checkRateLimit(entry, options, caller)));
    if (refusal) return notes.finish({ ok: false, refusal }, raw.params);
    const notedReply = notes.createReply(reply ?? NO_REPLY);
    return notes.finish(await executeRoute(entry.endpoint, entry.route, raw, caller, notedReply), raw.params);
  };
}

const NO_REPLY: ClientReply = { header: () => {}, setCookie: () => {}, clearCookie: () => {} };

/**
 * Refuses a call before it is counted: without permission, or if it would write to a full disk.
 * Null if it is allowed.
 */
function findRefusal(
  { key, method, rule }: Entry,
  { clock, isDiskFull, allowedWhenDiskFull }: ApiOptions,
  caller: Caller,
): Refusal | null {
  const refusal = checkAccess(key, rule, caller, clock.now());
  if (refusal || method === 'GET' || rule?.isForStaff === true) return refusal;
  return isDiskFull() && !allowedWhenDiskFull.has(key) ? createDiskFullRefusal() : null;
}

/** Counts the call. Null if it is within its limits. */
async function checkRateLimit(
  { key, route }: Entry,
  { apiKeyLimit, limits }: Pick<ApiOptions, 'apiKeyLimit' | 'limits'>,
  { identity, ip }: Pick<Caller, 'identity' | 'ip'>,
): Promise<Refusal | null> {
  const taken = await consumeAll(limits, [
    ...(identity?.apiKey ? [{ name: 'api key', limit: apiKeyLimit, key: identity.apiKey.id }] : []),
    { name: key, limit: route.limit, key: getLimitKey(route.limit, identity, ip) },
  ]);
  return taken.ok ? null : createTooOften(taken.retryAfterSeconds);
}

/** A key is counted apart from the account that created it. */
function getLimitKey({ by }: Limit, identity: Identity | null, ip: string): string {
  if (by !== 'caller' || !identity) return `ip:${ip}`;
  return identity.apiKey ? `key:${identity.apiKey.id}` : `user:${identity.userId}`;
}

const createRefusalOf = (bearer: string): Refusal =>
  isApiKey(bearer) ? createInvalidApiKey() : createUnauthenticated();

const readSessionCookie = ({ cookies }: FastifyRequest, { isHttps }: ApiOptions): string | null =>
  cookies[getSessionCookieName(isHttps)] ?? null;

/** Checks the caller before it reads a larger body, so that only permitted callers can send one. */
function createBodyOptions(entry: Entry, options: ApiOptions): Pick<RouteOptions, 'bodyLimit' | 'onRequest'> {
  const { endpoint, rule } = entry;
  const { maxBodyBytes: bodyLimit } = endpoint;
  if (bodyLimit === undefined) return {};
  return {
    bodyLimit,
    onRequest: async (request, reply) => {
      const forged = refuseForged(entry, options, request);
      if (forged) return sendRefusal(reply, forged, endpoint);
      const bearer = readBearer(request);
      const identity = bearer === null ? null : await options.identify(bearer, readSessionCookie(request, options));
      const refusal =
        bearer !== null && !identity
          ? createRefusalOf(bearer)
          : (checkAccess(entry.key, rule, { identity }, options.clock.now()) ??
            (await admit(entry, options, identity, request)));
      if (refusal === null) return undefined;
      const caller = { identity, ip: toClientKey(request.ip), requestId: request.id };
      new SecurityEventRecorder(options.securityLog, entry, caller).finish({ ok: false, refusal }, request.params);
      return sendRefusal(reply, refusal, endpoint);
    },
  };
}

/** Requests that were counted before their body was read. */
const counted = new WeakSet<FastifyRequest>();

/** Lets the route refuse the call before its body is read. Null: it goes on. */
async function admit(
  entry: Entry,
  options: ApiOptions,
  identity: Identity | null,
  request: FastifyRequest,
): Promise<Refusal | null> {
  const { endpoint, route } = entry;
  if (identity === null) return null;
  noteCaller(request, identity.userId);
  if (route.admit === undefined) return null;
  const exceeded = await checkRateLimit(entry, options, { identity, ip: toClientKey(request.ip) });
  if (exceeded !== null) return exceeded;
  counted.add(request);
  const params = endpoint.params?.safeParse(request.params);
  // The handler refuses invalid ones, with the same response as unknown ones.
  return params?.success === false ? null : route.admit({ params: params?.data, identity });
}

/** Version of a response that is the same for everybody. Undefined if responses are not cached. */
const getVersion = ({ method, route }: Entry, bearer: string | null): string | undefined =>
  method === 'GET' && bearer === null ? route.getVersion?.() : undefined;

/** Null unless the request comes from another site. */
function refuseForged(entry: Entry, { origins, securityLog }: ApiOptions, request: FastifyRequest): Refusal | null {
  if (!isForgedRequest(request.method, request.headers, origins)) return null;
  const refusal = new Refusal(403, 'foreign-origin', 'This request did not come from the shop');
  const stranger = { identity: null, ip: request.ip, requestId: request.id };
  new SecurityEventRecorder(securityLog, entry, stranger).finish({ ok: false, refusal }, request.params);
  return refusal;
}

async function handleRequest(
  entry: Entry,
  options: ApiOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { endpoint, priority } = entry;
  const refusal = refuseForged(entry, options, request);
  if (refusal) return sendRefusal(reply, refusal, endpoint);
  const bearer = readBearer(request);
  // The same for everybody: cached until its version changes.
  const version = getVersion(entry, bearer);
  if (version !== undefined) return respondFromCache(entry, version, options, request, reply);
  const isWanted = (): boolean => !request.raw.socket.destroyed;
  const work = () => respond(entry, bearer, options, request, reply);
  const kind = getWorkKind(priority);
  // Renders are queued with pages, most of which are for all clients.
  const client = kind === 'call' ? { client: toClientKey(request.ip) } : {};
  const done = await options.shedder.run(kind, priority, work, { isWanted, ...client });
  return done.ok ? done.value : sendRefusal(reply, done.refusal, endpoint);
}

/** Searches use the processor, as pages do. All other calls wait for the database. */
const getWorkKind = (importance: Priority): 'render' | 'call' => (importance === 'browsing' ? 'render' : 'call');

function createCaller(
  request: FastifyRequest,
  { isHttps }: Pick<ApiOptions, 'isHttps'>,
  bearer: string | null,
  identity: Identity | null,
): Caller {
  return {
    identity,
    bearer,
    guestToken: request.cookies[GUEST_COOKIE] ?? null,
    deviceCookie: request.cookies[getDeviceCookieName(isHttps)] ?? null,
    pendingLogin: request.cookies[getPendingLoginCookieName(isHttps)] ?? null,
    ip: toClientKey(request.ip),
    // Not Sec-Fetch-Mode: the fetch of Node sends it too, without cookies.
    isBrowser: readHeader(request, 'sec-fetch-site') !== null,
    userAgent: readHeader(request, 'user-agent'),
    idempotencyKey: readHeader(request, 'idempotency-key'),
    requestId: request.id,
    getAbortSignal: () => request.signal,
  };
}

async function respond(
  entry: Entry,
  bearer: string | null,
  options: ApiOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { key, method, endpoint, route } = entry;
  const identity = bearer === null ? null : await options.identify(bearer, readSessionCookie(request, options));
  // Logging out works with an expired token too, to clear the cookies of the browser.
  if (bearer !== null && !identity && key !== 'POST /users/logout')
    return sendRefusal(reply, createRefusalOf(bearer), endpoint);
  const caller = createCaller(request, options, bearer, identity);
  const notes = new SecurityEventRecorder(options.securityLog, entry, caller);
  const refusal =
    findRefusal(entry, options, caller) ?? (counted.has(request) ? null : await checkRateLimit(entry, options, caller));
  if (refusal) {
    notes.finish({ ok: false, refusal }, request.params);
    return sendRefusal(reply, refusal, endpoint);
  }
  // A proxy may drop the body of a DELETE (RFC 9110, 9.3.5), so the query string is accepted instead.
  const body = method === 'DELETE' ? (request.body ?? request.query) : request.body;
  const raw = { params: request.params, query: request.query, body };
  const notedReply = notes.createReply(createReply(reply, options.isHttps));
  const outcome = notes.finish(await executeRoute(endpoint, route, raw, caller, notedReply), raw.params);
  if (!outcome.ok) return sendRefusal(reply, outcome.refusal, endpoint);
  // Only responses that are the same for everybody have a version, and come from the cache.
  void reply.header('cache-control', 'no-store');
  if (outcome.wire instanceof Download) return sendDownload(reply, outcome.wire);
  return reply.code(outcome.status).type('application/json; charset=utf-8').send(JSON.stringify(outcome.wire));
}

/** Sends the cached response, or queues the work to create it. */
async function respondFromCache(
  entry: Entry,
  version: string,
  options: ApiOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { endpoint, route, rule, priority } = entry;
  const { responseCache, shedder } = options;
  const caller = createCaller(request, options, null, null);
  const refusal =
    checkAccess(entry.key, rule, caller, options.clock.now()) ?? (await checkRateLimit(entry, options, caller));
  if (refusal) return sendRefusal(reply, refusal, endpoint);
  const key = ResponseCache.createKey(request.url, Object.keys(endpoint.query?.shape ?? {}));
  const known = responseCache.get(key, version);
  if (known) return sendCached(request, reply, known);
  const headers: Record<string, string> = {};
  const noted = {
    ...NO_REPLY,
    recordSecurityEvent: () => {},
    header: (name: string, value: string) => void (headers[name] = value),
  };
  const raw = { params: request.params, query: request.query, body: undefined };
  const isWanted = (): boolean => !request.raw.socket.destroyed;
  const outcome = await shedder.run(
    getWorkKind(priority),
    priority,
    () => executeRoute(endpoint, route, raw, caller, noted),
    { isWanted },
  );
  if (!outcome.ok) return sendRefusal(reply, outcome.refusal, endpoint);
  if (!outcome.value.ok) return sendRefusal(reply, outcome.value.refusal, endpoint);
  return sendCached(request, reply, responseCache.set(key, version, headers, outcome.value.wire));
}

const createDiskFullRefusal = (): Refusal =>
  new Refusal(503, 'unavailable', 'The shop cannot save this now. Please try again later', { retryAfterSeconds: 60 });

/** Translates refusals of Fastify into API errors. Unknown errors become a 500 without details. */
export function toRefusal(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal(413, 'too-large', 'The body is too large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal(415, 'unsupported-type', 'The body must be JSON');
  if (isDiskFullError(error)) return createDiskFullRefusal();
  if (isDatabaseUnavailable(error)) {
    return new Refusal(503, 'unavailable', 'The shop is temporarily unavailable. Please try again in a moment', {
      retryAfterSeconds: 2,
    });
  }
  if (isStatementTimeout(error)) {
    return new Refusal(503, 'unavailable', 'The shop is very busy. Please try again in a moment', {
      retryAfterSeconds: 5,
    });
  }
  if (status === 404) return createNotFound();
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new Refusal(400, 'invalid', 'The request is not valid');
  }
  return new Refusal(500, 'internal', 'Unknown error');
}
