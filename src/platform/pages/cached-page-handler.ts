/**
 * Answers a kept page before anything else looks at the request: it is the same for everybody, so who asks and with which
 * cookies makes no difference. All that is left to do is to write bytes that are there. Whatever is not as simple as that
 * goes the usual way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageResponse } from './page-cache.ts';
import type { Encoding } from './compressed-body.ts';

export const PUBLIC_CACHE_CONTROL = 'public, max-age=0, must-revalidate';

export interface CachedPageOptions {
  /** What every answer of the server says. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  /** The kept page under an address that is written exactly so, if it still shows what is. */
  readonly findFresh: (url: string) => PageResponse | null;
}

type Fields = readonly string[];
type Variant = Encoding | null | 'unchanged';

/** Names and values in turn, as Node takes them without looking at each. */
function fieldsOf(headers: Readonly<Record<string, string>>): Fields {
  return Object.entries(headers).flat();
}

/** Answers the request and says so, or leaves it alone. `ownHeaders` are those of this very answer. */
export type CachedPageHandler = (request: IncomingMessage, response: ServerResponse, ownHeaders: Fields) => boolean;

export function createCachedPageHandler({ commonHeaders, findFresh }: CachedPageOptions): CachedPageHandler {
  const known = new WeakMap<PageResponse, Map<Variant, Fields>>();

  const fieldsFor = (answer: PageResponse, kind: Variant, length: number): Fields => {
    const ofAnswer = known.get(answer) ?? new Map<Variant, Fields>();
    known.set(answer, ofAnswer);
    const made = ofAnswer.get(kind);
    // Compressed better meanwhile, it has another length.
    if (made?.at(-1) === String(length)) return made;
    const fields = fieldsOf({
      ...commonHeaders,
      ...answer.headers,
      'cache-status': 'pages; hit',
      'cache-control': PUBLIC_CACHE_CONTROL,
      vary: 'accept-encoding',
      etag: answer.body.etag,
      ...(kind === 'br' || kind === 'gzip' ? { 'content-encoding': kind } : {}),
      'content-length': String(length),
    });
    ofAnswer.set(kind, fields);
    return fields;
  };

  return ({ method, url = '', headers }, response, ownHeaders) => {
    if (method !== 'GET') return false;
    const answer = findFresh(url);
    if (!answer) return false;
    const { body } = answer;
    if (body.matchesEtag(headers['if-none-match'])) {
      const fields = fieldsFor(answer, 'unchanged', 0).slice(0, -2);
      response.writeHead(304, [...ownHeaders, ...fields]).end();
      return true;
    }
    const encoding = body.negotiateEncoding(headers['accept-encoding']);
    const bytes = body.getBytes(encoding);
    response.writeHead(200, [...ownHeaders, ...fieldsFor(answer, encoding, bytes.length)]).end(bytes);
    return true;
  };
}
