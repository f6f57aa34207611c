/**
 * The shop with PAGES=stock behind a response cache, for `npm run bench -- web`. Entries never expire,
 * so this is the upper bound of such a cache.
 */
import { IncomingMessage, Server, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';

interface CachedResponse {
  readonly fields: readonly [string, string][];
  readonly bytes: Buffer;
}

const cache = new LRUCache<string, CachedResponse>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ bytes }) => bytes.length + 1,
});
const emit: unknown = Reflect.get(Server.prototype, 'emit');
if (typeof emit !== 'function') throw new TypeError('a server has no emit');
const emitEvent = emit;
const isResponse = (value: unknown): value is ServerResponse => value instanceof ServerResponse;

/** Records the page that this response sends. */
function record(key: string, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const add = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(response, {
    write: (chunk: string | Uint8Array, ...rest: [BufferEncoding]) => {
      add(chunk);
      return write(chunk, ...rest);
    },
    end: (chunk: string | Uint8Array, ...rest: [BufferEncoding]) => {
      add(chunk);
      const isHtml = String(response.getHeader('content-type')).startsWith('text/html');
      if (response.statusCode === 200 && isHtml && response.getHeader('set-cookie') === undefined) {
        const fields = Object.entries(response.getHeaders()).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        cache.set(key, {
          fields: fields.filter(([name]) => name !== 'transfer-encoding'),
          bytes: Buffer.concat(chunks),
        });
      }
      return end(chunk, ...rest);
    },
  });
}

Server.prototype.emit = function answerFromCache(name: string | symbol, ...rest: unknown[]): boolean {
  const forward = (): boolean => {
    const handled: unknown = Reflect.apply(emitEvent, this, [name, ...rest]);
    return handled === true;
  };
  const [request, response] = rest;
  if (name !== 'request' || !(request instanceof IncomingMessage) || !isResponse(response)) return forward();
  if (request.method !== 'GET') return forward();
  const key = `${request.url} ${request.headers['accept-encoding']}`;
  const known = cache.get(key);
  if (known) {
    response.writeHead(200, [...known.fields.flat(), 'content-length', String(known.bytes.length)]).end(known.bytes);
    return true;
  }
  record(key, response);
  return forward();
};
process.env['PAGES'] = 'stock';
await import('../../start.ts');
