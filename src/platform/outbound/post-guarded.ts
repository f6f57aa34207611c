/**
 * Sends a POST request to a URL that somebody else named. The address is checked when the connection is opened, so
 * neither a name nor a redirect leads to a private network, even if the name resolves to another address later.
 */
import { Resolver } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { callbackify } from 'node:util';
import { mayConnect } from './address-policy.ts';
import type { AllowedPrivate } from './address-policy.ts';

/** All addresses of a name. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

export interface GuardedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Until the status, in ms. */
  readonly timeoutMs: number;
  readonly allowed: AllowedPrivate;
  readonly isHttpAllowed: boolean;
  readonly resolveHost?: ResolveHost;
}

export type GuardedResult = { readonly durationMs: number } & (
  | { readonly status: number; readonly body: string }
  /** A sentence without the URL. */
  | { readonly status: null; readonly failure: string }
);

/** Further bytes of a response are not read. */
const MAX_RESPONSE_BYTES = 16 * 1024;
/** How long the body may take after the status, at most as long as the status. */
const BODY_MS = 2_000;
/** Queries go to the servers of the system, without its pool of threads, which a hanging name would fill. */
const DNS_TIMEOUT_MS = 4_000;

class RefusedAddressError extends Error {}

async function resolveByDns(host: string): Promise<readonly string[]> {
  // Not a name of the DNS (RFC 6761).
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 1 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw new Error('the name has no address');
  return addresses;
}

/** Why a URL is refused whatever it resolves to; null if it is not. */
export function findUrlProblem(text: string, { isHttpAllowed }: { readonly isHttpAllowed: boolean }): string | null {
  const url = URL.parse(text);
  if (url === null) return 'is not a URL';
  if (url.protocol !== 'https:' && !(isHttpAllowed && url.protocol === 'http:')) return 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (url.hash !== '') return 'must not contain a fragment (#)';
  const port = url.port === '' ? null : Number(url.port);
  // Lower ports belong to other protocols.
  if (port !== null && port < 1024 && port !== 443 && !(isHttpAllowed && port === 80)) {
    return 'must use port 443 or one above 1023';
  }
  return null;
}

/** Host of a URL, lower case, without the brackets of an IPv6 address. */
const getHost = ({ hostname }: URL): string =>
  hostname
    .toLowerCase()
    .replaceAll(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** Resolves once for each connection, and gives it only addresses that it may use. */
function createLookup(allowed: AllowedPrivate, resolveHost: ResolveHost): LookupFunction {
  const findUsable = callbackify(async (hostname: string) => {
    const host = hostname.toLowerCase().replace(/\.$/, '');
    const addresses = await resolveHost(host);
    const usable = addresses.filter((address) => mayConnect(host, address, allowed));
    if (usable.length === 0) throw new RefusedAddressError();
    return usable.map((address) => ({ address, family: isIP(address) }));
  });
  return (hostname, options, done) => {
    findUsable(hostname, (error, usable) => {
      const [first] = usable ?? [];
      if (error !== null || first === undefined) return done(error ?? new RefusedAddressError(), '');
      return options.all === true ? done(null, usable) : done(null, first.address, first.family);
    });
  };
}

const REFUSED = 'The host has a private address, which the shop does not connect to';
const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before the response',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network of the host cannot be reached',
  EPIPE: 'The connection was closed before the response',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate belongs to another name',
};

function describeFailure(error: unknown): string {
  if (error instanceof RefusedAddressError) return REFUSED;
  if (error instanceof AggregateError) return describeFailure(error.errors[0]);
  if (!(error instanceof Error)) return 'The request failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'No response in time';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    FAILURES[code] ??
    (error.message === 'the name has no address'
      ? 'The name has no address'
      : `The request failed (${code || 'unknown error'})`)
  );
}

/** The beginning of a body as text. Ends with the body, at the limit of bytes, or in time. */
function readBeginning(response: IncomingMessage, withinMs: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (): void => {
      clearTimeout(timer);
      response.destroy();
      const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8');
      resolve(text.replaceAll('\u0000', '').toWellFormed());
    };
    const timer = setTimeout(finish, withinMs);
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_RESPONSE_BYTES) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
    response.on('close', finish);
  });
}

/** Never rejects. Redirects are not followed: their status is the result. */
export async function postGuarded(request: GuardedRequest): Promise<GuardedResult> {
  const { allowed, body, headers, isHttpAllowed, timeoutMs, resolveHost = resolveByDns } = request;
  const start = performance.now();
  const getDuration = (): number => Math.round(performance.now() - start);
  const problem = findUrlProblem(request.url, { isHttpAllowed });
  if (problem !== null) return { status: null, failure: `The URL ${problem}`, durationMs: getDuration() };
  const url = new URL(request.url);
  const host = getHost(url);
  // Node resolves only names.
  if (isIP(host) !== 0 && !mayConnect(host, host, allowed)) {
    return { status: null, failure: REFUSED, durationMs: getDuration() };
  }
  const timeout = new AbortController();
  // Covers the resolver too, which the signal does not stop.
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      timeout.signal.addEventListener('abort', () => reject(new DOMException('', 'TimeoutError')));
      const options: RequestOptions = {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        // A connection of its own, opened with the check above.
        agent: false,
        lookup: createLookup(allowed, resolveHost),
        signal: timeout.signal,
      };
      const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    clearTimeout(timer);
    const durationMs = getDuration();
    return {
      status: response.statusCode ?? 0,
      body: await readBeginning(response, Math.min(BODY_MS, timeoutMs)),
      durationMs,
    };
  } catch (error) {
    return { status: null, failure: describeFailure(error), durationMs: getDuration() };
  } finally {
    clearTimeout(timer);
  }
}
