/**
 * A shared HTTP cache such as a CDN (RFC 9111), in front of a shop. It stores everything that the specification
 * permits, also by heuristics, so that a missing header shows.
 */
import { sendRawRequest } from './raw-call.ts';
import type { RawRequest, RawResponse } from './raw-call.ts';

/** Status codes that may be stored without an explicit lifetime (RFC 9110, 15.1). */
const HEURISTIC = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
const HEURISTIC_LIFETIME_S = 3_600;

/** `revalidated`: the shop responded with 304. `missed`: with a whole response. */
type CacheUse = 'hit' | 'revalidated' | 'missed' | 'not-stored';

export interface CachedResponse extends RawResponse {
  readonly use: CacheUse;
}

interface Stored {
  readonly response: RawResponse;
  /** Names in Vary, with the values that the request had. */
  readonly varied: ReadonlyMap<string, string | undefined>;
  readonly storedAtMs: number;
}

type Directives = ReadonlyMap<string, string>;

function readDirectives({ headers }: RawResponse): Directives {
  const parts = (headers['cache-control'] ?? '').split(',').map((part) => part.trim().toLowerCase());
  return new Map(
    parts.filter((part) => part !== '').map((part) => [part.split('=')[0] ?? '', part.split('=')[1] ?? '']),
  );
}

/** Whether a shared cache may store the response (RFC 9111, 3). */
export function isStorable({ method, headers }: RawRequest, response: RawResponse): boolean {
  const directives = readDirectives(response);
  if (method !== 'GET' || directives.has('no-store') || directives.has('private')) return false;
  if (response.headers.vary === '*') return false;
  const isForAuthorized = ['public', 'must-revalidate', 's-maxage'].some((name) => directives.has(name));
  if (headers?.['authorization'] !== undefined && !isForAuthorized) return false;
  const isExplicit = ['public', 'max-age', 's-maxage'].some((name) => directives.has(name));
  return isExplicit || response.headers.expires !== undefined || HEURISTIC.has(response.status);
}

function computeLifetimeSeconds(response: RawResponse): number {
  const directives = readDirectives(response);
  if (directives.has('no-cache')) return 0;
  const stated = directives.get('s-maxage') ?? directives.get('max-age');
  return stated === undefined ? HEURISTIC_LIFETIME_S : Number(stated);
}

export class SharedCache {
  readonly #origin: string;
  readonly #stored = new Map<string, Stored[]>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Responds from the cache if the specification permits it, otherwise asks the shop. */
  async send(request: RawRequest): Promise<CachedResponse> {
    const { method, path } = request;
    const found = method === 'GET' ? this.#find(request) : undefined;
    if (found === undefined) return this.#forward(request);
    const ageSeconds = (Date.now() - found.storedAtMs) / 1000;
    if (ageSeconds < computeLifetimeSeconds(found.response)) return { ...found.response, use: 'hit' };
    const { etag, 'last-modified': modified } = found.response.headers;
    const response = await sendRawRequest(this.#origin, {
      ...request,
      headers: {
        ...request.headers,
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
        ...(modified === undefined ? {} : { 'if-modified-since': modified }),
      },
    });
    if (response.status !== 304) return this.#keep(request, response);
    // Headers of the 304 replace those that were stored (RFC 9111, 3.2).
    const updated = { ...found.response, headers: { ...found.response.headers, ...response.headers } };
    this.#replace(path, found, { ...found, response: updated, storedAtMs: Date.now() });
    return { ...updated, use: 'revalidated' };
  }

  #find({ path, headers = {} }: RawRequest): Stored | undefined {
    return this.#stored.get(path)?.find(({ varied }) => [...varied].every(([name, value]) => headers[name] === value));
  }

  #replace(path: string, old: Stored | undefined, next: Stored | null): void {
    const others = (this.#stored.get(path) ?? []).filter((stored) => stored !== old);
    this.#stored.set(path, next === null ? others : [next, ...others]);
  }

  async #forward(request: RawRequest): Promise<CachedResponse> {
    const response = await sendRawRequest(this.#origin, request);
    // A write makes what is stored for its URL invalid (RFC 9111, 4.4).
    if (!['GET', 'HEAD'].includes(request.method) && response.status < 400) this.#stored.delete(request.path);
    return this.#keep(request, response);
  }

  #keep(request: RawRequest, response: RawResponse): CachedResponse {
    if (!isStorable(request, response)) return { ...response, use: 'not-stored' };
    const names = (response.headers.vary ?? '').split(',').map((name) => name.trim().toLowerCase());
    const varied = new Map(names.filter((name) => name !== '').map((name) => [name, request.headers?.[name]]));
    this.#replace(request.path, this.#find(request), { response, varied, storedAtMs: Date.now() });
    return { ...response, use: 'missed' };
  }
}
