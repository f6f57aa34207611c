/** Cache of public API responses, encoded once and valid while their version is current. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getCacheKey } from './page-url.ts';
import { CompressedBody } from './compressed-body.ts';
import { UrlCache } from './url-cache.ts';

const CACHE_BYTES = 16 * 1024 * 1024;
/** Compressed bytes add less than half of the size. */
const ROOM_FACTOR = 1.5;

export interface CachedResponse {
  readonly version: string;
  /** In addition to the common headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: CompressedBody;
}

export class ResponseCache {
  readonly #cache = new UrlCache<CachedResponse>(CACHE_BYTES);
  readonly #counts = { hits: 0, misses: 0 };

  get bytes(): number {
    return this.#cache.bytes;
  }

  /** Requests since the start that found their response, and those that did not. */
  get counts(): { readonly hits: number; readonly misses: number } {
    return { ...this.#counts };
  }

  /** @param parameters the query parameters that matter; their order does not */
  static createKey(url: string, parameters: readonly string[]): string {
    return (
      getCacheKey(
        url,
        () => parameters,
        () => false,
      ) ?? url
    );
  }

  get(key: string, version: string): CachedResponse | null {
    const cached = this.#cache.get(key);
    const found = cached?.version === version ? cached : null;
    this.#counts[found === null ? 'misses' : 'hits'] += 1;
    return found;
  }

  set(key: string, version: string, headers: Readonly<Record<string, string>>, wire: unknown): CachedResponse {
    const bytes = Buffer.from(JSON.stringify(wire));
    const previous = this.#cache.get(key)?.body;
    // An equal body is compressed already.
    const body = previous?.identity.equals(bytes) ? previous : new CompressedBody(bytes);
    const response = { version, headers, body };
    this.#cache.set(key, response, response.body.identity.length * ROOM_FACTOR);
    return response;
  }
}

/** Sends the response compressed, or 304 Not Modified. */
export async function sendCached(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { headers: own, body }: CachedResponse,
): Promise<FastifyReply> {
  void reply.headers(own).headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag: body.etag });
  if (body.hasEtag(headers['if-none-match'])) return reply.code(304).send();
  const encoding = body.negotiateEncoding(headers['accept-encoding']);
  if (encoding !== null) void reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(body.getBytes(encoding));
}
