/**
 * Sends a cached page before Fastify handles the request. The page is the same for every visitor, so cookies do not matter.
 * All other requests continue to Fastify.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageResponse } from './page-cache.ts';
import type { Encoding } from './compressed-body.ts';

export const PUBLIC_CACHE_CONTROL = 'public, max-age=0, must-revalidate';

export interface CachedPageOptions {
  /** Headers of every response. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  /** The fresh cached page under exactly this URL. */
  readonly findFresh: (url: string) => PageResponse | null;
}

type Fields = readonly string[];
type Variant = Encoding | null | 'unchanged';

/** Names and values alternating, which Node writes without checks. */
function toFields(headers: Readonly<Record<string, string>>): Fields {
  return Object.entries(headers).flat();
}

/** Returns whether it sent the response. `ownHeaders` belong to this response only. */
export type CachedPageHandler = (request: IncomingMessage, response: ServerResponse, ownHeaders: Fields) => boolean;

export function createCachedPageHandler({ commonHeaders, findFresh }: CachedPageOptions): CachedPageHandler {
  const cached = new WeakMap<PageResponse, Map<Variant, Fields>>();

  const getFields = (page: PageResponse, kind: Variant, length: number): Fields => {
    const fieldsByVariant = cached.get(page) ?? new Map<Variant, Fields>();
    cached.set(page, fieldsByVariant);
    const previous = fieldsByVariant.get(kind);
    // The length changes when the best compression is ready.
    if (previous?.at(-1) === String(length)) return previous;
    const fields = toFields({
      ...commonHeaders,
      ...page.headers,
      'cache-status': 'pages; hit',
      'cache-control': PUBLIC_CACHE_CONTROL,
      vary: 'accept-encoding',
      etag: page.body.etag,
      ...(kind === 'br' || kind === 'gzip' ? { 'content-encoding': kind } : {}),
      'content-length': String(length),
    });
    fieldsByVariant.set(kind, fields);
    return fields;
  };

  return ({ method, url = '', headers }, response, ownHeaders) => {
    if (method !== 'GET') return false;
    const page = findFresh(url);
    if (!page) return false;
    const { body } = page;
    if (body.hasEtag(headers['if-none-match'])) {
      const fields = getFields(page, 'unchanged', 0).slice(0, -2);
      response.writeHead(304, [...ownHeaders, ...fields]).end();
      return true;
    }
    const encoding = body.negotiateEncoding(headers['accept-encoding']);
    const bytes = body.getBytes(encoding);
    response.writeHead(200, [...ownHeaders, ...getFields(page, encoding, bytes.length)]).end(bytes);
    return true;
  };
}
