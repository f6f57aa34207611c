/** Sends a rendered page: conditional requests, caching headers and compression. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pipeline, Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { PUBLIC_CACHE_CONTROL } from './cached-page-handler.ts';
import { chooseEncoding } from './compressed-body.ts';
import type { PageResponse } from './page-cache.ts';

export const PRIVATE_CACHE_CONTROL = 'private, no-store';
/** What web servers use for responses that they compress per request. */
const STREAM_QUALITY = 4;

/** A page that stock React Router streams. */
export interface StockResponse extends Omit<PageResponse, 'body'> {
  readonly body: Readable;
}

export const isStock = (response: PageResponse | StockResponse): response is StockResponse =>
  response.body instanceof Readable;

/** @param isForAll the page is the same for every visitor */
export async function sendPage(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { status, headers: own, cookies, body }: PageResponse,
  { isForAll = false } = {},
): Promise<FastifyReply> {
  void reply.code(status).headers(own).header('vary', 'accept-encoding');
  void reply.header('cache-control', isForAll && status < 500 ? PUBLIC_CACHE_CONTROL : PRIVATE_CACHE_CONTROL);
  for (const cookie of cookies) void reply.header('set-cookie', cookie);
  if (isForAll && status === 200) {
    void reply.header('etag', body.etag);
    if (body.hasEtag(headers['if-none-match'])) return reply.code(304).send();
  }
  const encoding = body.negotiateEncoding(headers['accept-encoding']);
  if (encoding !== null) void reply.header('content-encoding', encoding);
  return reply.send(body.getBytes(encoding));
}

/** Never cached by anyone: the nonce of its scripts is valid for one response. */
export async function sendStockPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, cookies, body }: StockResponse,
): Promise<FastifyReply> {
  void reply.code(status).headers(headers).headers({ vary: 'accept-encoding', 'cache-control': PRIVATE_CACHE_CONTROL });
  for (const cookie of cookies) void reply.header('set-cookie', cookie);
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  if (encoding === null || request.method === 'HEAD') return reply.send(body);
  const compress =
    encoding === 'gzip'
      ? createGzip()
      : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: STREAM_QUALITY } });
  return reply.header('content-encoding', encoding).send(pipeline(body, compress, () => {}));
}
