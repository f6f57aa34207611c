/**
 * Answers a kept page before anything else looks at the request: it is the same for everybody, so who asks and with which
 * cookies makes no difference. All that is left to do is to write bytes that are there. Whatever is not as simple as that
 * goes the usual way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PageAnswer } from './page-cache.ts';
import type { Encoding } from './sent-bytes.ts';

export const FOR_ALL = 'public, max-age=0, must-revalidate';

export interface EarlyPagesOptions {
  /** What every answer of the server says. */
  readonly commonHeaders: Readonly<Record<string, string>>;
  /** The kept page under an address that is written exactly so, if it still shows what is. */
  readonly fresh: (url: string) => PageAnswer | null;
}

type Fields = readonly string[];
type Kind = Encoding | null | 'unchanged';

/** Names and values in turn, as Node takes them without looking at each. */
function fieldsOf(headers: Readonly<Record<string, string>>): Fields {
  return Object.entries(headers).flat();
}

/** Answers the request and says so, or leaves it alone. `ownHeaders` are those of this very answer. */
export type ServeEarly = (request: IncomingMessage, response: ServerResponse, ownHeaders: Fields) => boolean;

export function serveEarly({ commonHeaders, fresh }: EarlyPagesOptions): ServeEarly {
  const known = new WeakMap<PageAnswer, Map<Kind, Fields>>();

  const fieldsFor = (answer: PageAnswer, kind: Kind, length: number): Fields => {
    const ofAnswer = known.get(answer) ?? new Map<Kind, Fields>();
    known.set(answer, ofAnswer);
    const made = ofAnswer.get(kind);
    // Compressed better meanwhile, it has another length.
    if (made?.at(-1) === String(length)) return made;
    const fields = fieldsOf({
      ...commonHeaders,
      ...answer.headers,
      'cache-status': 'pages; hit',
      'cache-control': FOR_ALL,
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
    const answer = fresh(url);
    if (!answer) return false;
    const { body } = answer;
    if (body.isKnownBy(headers['if-none-match'])) {
      const fields = fieldsFor(answer, 'unchanged', 0).slice(0, -2);
      response.writeHead(304, [...ownHeaders, ...fields]).end();
      return true;
    }
    const encoding = body.encodingFor(headers['accept-encoding']);
    const bytes = body.in(encoding);
    response.writeHead(200, [...ownHeaders, ...fieldsFor(answer, encoding, bytes.length)]).end(bytes);
    return true;
  };
}
