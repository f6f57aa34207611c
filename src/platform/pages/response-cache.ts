/** Answers of the API that are the same for everybody: encoded once, and kept while their version stays the same. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ByteBoundCache } from './byte-bound-cache.ts';
import { getCacheKey } from './page-url.ts';
import { CompressedBody } from './compressed-body.ts';

const CACHE_BYTES = 16 * 1024 * 1024;
/** The compressed forms take less than half of what they are made of. */
const ROOM_FACTOR = 1.5;

export interface CachedResponse {
  readonly version: string;
  /** Beside those that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: CompressedBody;
}

export class ResponseCache {
  readonly #cache = new ByteBoundCache<CachedResponse>(CACHE_BYTES);

  /** @param parameters those of the query that count; the order in which they stand does not. */
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
    const kept = this.#cache.get(key);
    return kept?.version === version ? kept : null;
  }

  set(key: string, version: string, headers: Readonly<Record<string, string>>, wire: unknown): CachedResponse {
    const answer = { version, headers, body: new CompressedBody(Buffer.from(JSON.stringify(wire))) };
    this.#cache.set(key, answer, answer.body.identity.length * ROOM_FACTOR);
    return answer;
  }
}

/** Sends it compressed, or says that the caller has it already. */
export async function sendCached(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { headers: own, body }: CachedResponse,
): Promise<FastifyReply> {
  void reply.headers(own).headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag: body.etag });
  if (body.matchesEtag(headers['if-none-match'])) return reply.code(304).send();
  const encoding = body.negotiateEncoding(headers['accept-encoding']);
  if (encoding !== null) void reply.header('content-encoding', encoding);
  return reply.type('application/json; charset=utf-8').send(body.getBytes(encoding));
}
