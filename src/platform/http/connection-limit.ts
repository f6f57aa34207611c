/**
 * Keeps the number of HTTP connections below what the process has file descriptors for. A new connection takes the place
 * of the one that has been idle longest, so idle and slow clients do not shut out those who send requests.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '#src/platform/process/log.ts';
import { toClientKey } from './client-key.ts';

/** One line in the log a minute, however many connections are closed. */
const LOG_EVERY_MS = 60_000;
/** A client with more than this share of all connections makes room for its own new ones. */
const MAX_CLIENT_SHARE = 4;

/** A request that is not complete, or an answer that is not read, after so long may be cut off for somebody else. */
const STALLED_MS = 1_000;

interface Exchange {
  readonly startedAt: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Connections without a request under way; a set yields the one that has been idle longest first. */
class IdleConnections {
  readonly #all = new Set<Socket>();
  readonly #byClient = new Map<string, Set<Socket>>();
  readonly #clients = new WeakMap<Socket, string>();

  get size(): number {
    return this.#all.size;
  }

  add(socket: Socket): void {
    const client = this.#clients.get(socket) ?? toClientKey(socket.remoteAddress ?? '');
    this.#clients.set(socket, client);
    this.#all.add(socket);
    this.#byClient.set(client, (this.#byClient.get(client) ?? new Set()).add(socket));
  }

  delete(socket: Socket): boolean {
    if (!this.#all.delete(socket)) return false;
    const client = this.#clients.get(socket) ?? '';
    const own = this.#byClient.get(client);
    own?.delete(socket);
    if (own?.size === 0) this.#byClient.delete(client);
    return true;
  }

  /** The oldest of the newcomer's own client if it has more than `share`, else the oldest of all. */
  findOldest(newcomer: Socket, share: number): Socket | null {
    const own = this.#byClient.get(toClientKey(newcomer.remoteAddress ?? ''));
    const [oldest = null] = own && own.size > share ? own : this.#all;
    return oldest;
  }
}

export interface ConnectionLimitOptions {
  readonly maxConnections: number;
  readonly log: Log;
}

export interface ConnectionLimit {
  /** The connection exceeds the limit and none could be closed for it: its request is to be refused. */
  isRefused(socket: Socket): boolean;
}

export function limitConnections(server: Server, { maxConnections, log }: ConnectionLimitOptions): ConnectionLimit {
  const idle = new IdleConnections();
  const busy = new Map<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  let loggedAt = Number.NEGATIVE_INFINITY;

  const forget = (socket: Socket): void => {
    idle.delete(socket);
    busy.delete(socket);
  };
  const noteFull = (): void => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn({ max_connections: maxConnections }, 'too many connections: the longest idle ones are closed');
  };

  server.on('connection', (socket: Socket) => {
    socket.once('close', () => forget(socket));
    if (idle.size + busy.size >= maxConnections) {
      noteFull();
      const share = Math.floor(maxConnections / MAX_CLIENT_SHARE);
      const victim = idle.findOldest(socket, share) ?? findStalled(busy);
      if (victim === null) refused.add(socket);
      else {
        forget(victim);
        victim.destroy();
      }
    }
    idle.add(socket);
  });
  // Before the router, which may answer at once.
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    // One that was closed or upgraded meanwhile does not count any more.
    if (!idle.delete(socket) && !busy.delete(socket)) return;
    busy.set(socket, { startedAt: performance.now(), request, response });
    response.once('close', () => {
      // The next request on the same connection may have begun.
      if (busy.get(socket)?.response !== response) return;
      busy.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  });
  // The live channel counts its own.
  server.on('upgrade', ({ socket }) => forget(socket));
  return { isRefused: (socket) => refused.has(socket) };
}

/** The first connection whose client does not send its whole request, or does not read its answer. */
function findStalled(busy: ReadonlyMap<Socket, Exchange>): Socket | null {
  const before = performance.now() - STALLED_MS;
  for (const [socket, { startedAt, request, response }] of busy) {
    // In the order of their beginning: those behind it are younger still.
    if (startedAt > before) return null;
    if (!request.complete || response.writableEnded) return socket;
  }
  return null;
}
