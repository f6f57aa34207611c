/** Serves a large XML document, generated while it is sent. */
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendErrorPage } from '#src/platform/pages/error-page.ts';
import { Refusal } from './call.ts';
import { toClientKey } from './client-key.ts';
import type { Limit, RateLimits } from './rate-limits.ts';

/** Per process; more would slow down everything else. A client gets one at a time, since it may read slowly. */
const MAX_CONCURRENT = 4;
const RETRY = { retryAfterSeconds: 30 };
/** A client that reads slower is cut off. */
const MAX_SEND_MS = 10 * 60_000;

/** Merchants fetch a feed a few times a day, and more often while they set it up. */
const LIMIT: Limit = { points: 20, seconds: 600, by: 'ip' };

/** @returns the refusal if the client exceeded the limit */
export async function consumeFeedLimit(limits: RateLimits, ip: string): Promise<Refusal | null> {
  const consumed = await limits.consume('product feed', LIMIT, toClientKey(ip));
  if (consumed.ok) return null;
  return new Refusal(429, 'too-often', 'You fetched this document too often.', consumed);
}

/** @param isOwn whether the client itself is being sent the document */
const createBusy = (isOwn: boolean): Refusal =>
  isOwn
    ? new Refusal(
        429,
        'too-often',
        'This document is being sent to your address already. Wait until it is complete.',
        RETRY,
      )
    : new Refusal(503, 'overloaded', 'The document is being sent too often. Please try again in a moment.', RETRY);

export interface XmlFeedOptions {
  readonly path: string;
  /** Changes with the content. */
  readonly getVersion: () => string;
  readonly generate: () => AsyncIterable<string>;
  /** Limits how often a client gets the document. A response without content does not count. */
  readonly checkLimit: (ip: string) => Promise<Refusal | null>;
  readonly onError: (error: Error) => void;
}

const isGzipAccepted = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(headers['accept-encoding'] ?? '');

/** Whether the client has this version. */
function isCurrent({ headers }: FastifyRequest, tag: string): boolean {
  const sent = headers['if-none-match'];
  if (sent === undefined) return false;
  return sent.split(',').some((one) => ['*', tag, tag.slice(2)].includes(one.trim()));
}

export function registerXmlFeed(server: FastifyInstance, options: XmlFeedOptions): void {
  const { path, generate, checkLimit, onError } = options;
  /** Clients that are being sent the document. */
  const clients = new Set<string>();

  const createStream = (isCompressed: boolean, client: string): Readable => {
    const source = Readable.from(generate());
    // The server ends the response when its stream fails.
    const sent = isCompressed ? pipeline(source, createGzip(), () => {}) : source;
    const timer = setTimeout(() => source.destroy(), MAX_SEND_MS).unref();
    sent.once('close', () => {
      clients.delete(client);
      clearTimeout(timer);
    });
    source.on('error', onError);
    return sent;
  };

  /** Counts the client before anything is awaited, so that concurrent requests get no more. */
  const admit = async (client: string, ip: string): Promise<Refusal | null> => {
    clients.add(client);
    let isAdmitted = false;
    try {
      const refusal = await checkLimit(ip);
      isAdmitted = refusal === null;
      return refusal;
    } finally {
      if (!isAdmitted) clients.delete(client);
    }
  };

  const respond = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const tag = `W/"${options.getVersion()}"`;
    reply.headers({ etag: tag, 'cache-control': 'public, no-cache', vary: 'accept-encoding' });
    if (isCurrent(request, tag)) return reply.status(304).send();
    reply.type('application/xml; charset=utf-8');
    if (request.method === 'HEAD') return reply.send();
    const client = toClientKey(request.ip);
    const isOpen = clients.has(client);
    const isBusy = isOpen || clients.size >= MAX_CONCURRENT;
    const refusal = isBusy ? createBusy(isOpen) : await admit(client, request.ip);
    if (refusal !== null) {
      reply.removeHeader('etag');
      return sendErrorPage(reply, refusal);
    }
    const isCompressed = isGzipAccepted(request);
    if (isCompressed) reply.header('content-encoding', 'gzip');
    return reply.send(createStream(isCompressed, client));
  };

  server.get(path, { exposeHeadRoute: false }, respond);
  server.head(path, respond);
}
