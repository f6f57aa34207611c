/**
 * Limits HTTP connections to the available file descriptors. A new connection replaces the one that
 * has been idle longest, so idle and slow clients cannot block others.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '#src/platform/process/log.ts';
import { toClientKey } from './client-key.ts';

/** Minimum interval between two log lines. */
const LOG_EVERY_MS = 60_000;
/** A client with more than a quarter of all connections loses its own oldest one first. */
const MAX_CLIENT_SHARE = 4;

/** After this time, an incomplete request or an unread response may be cut off for a new connection. */
const STALLED_MS = 1_000;

interface Exchange {
  readonly startedAt: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Connections without a request in progress. A Set iterates in insertion order: longest idle first. */
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

  /** The longest idle one of the same client if it has more than `share`, otherwise of all. */
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
  /** Whether requests of this connection must be refused: no other one could be closed for it. */
  isRefused(socket: Socket): boolean;
}

export function limitConnections(server: Server, { maxConnections, log }: ConnectionLimitOptions): ConnectionLimit {
  const idle = new IdleConnections();
  const busy = new Map<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  let loggedAt = Number.NEGATIVE_INFINITY;

  const remove = (socket: Socket): void => {
    idle.delete(socket);
    busy.delete(socket);
  };
  const logFull = (): void => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn({ max_connections: maxConnections }, 'too many connections: the longest idle ones are closed');
  };

  server.on('connection', (socket: Socket) => {
    socket.once('close', () => remove(socket));
    if (idle.size + busy.size >= maxConnections) {
      logFull();
      const share = Math.floor(maxConnections / MAX_CLIENT_SHARE);
      const victim = idle.findOldest(socket, share) ?? findStalled(busy);
      if (victim === null) refused.add(socket);
      else {
        remove(victim);
        victim.destroy();
      }
    }
    idle.add(socket);
  });
  // Before the router, which may respond immediately.
  server.prependListener('request', (request, response) => {
    const { socket } = request;
    // A closed or upgraded connection no longer counts.
    if (!idle.delete(socket) && !busy.delete(socket)) return;
    busy.set(socket, { startedAt: performance.now(), request, response });
    response.once('close', () => {
      // The next request on the same connection may have started.
      if (busy.get(socket)?.response !== response) return;
      busy.delete(socket);
      if (!socket.destroyed) idle.add(socket);
    });
  });
  // The live channel has its own limit.
  server.on('upgrade', ({ socket }) => remove(socket));
  return { isRefused: (socket) => refused.has(socket) };
}

/** Finds a connection with an incomplete request or an unread response. */
function findStalled(busy: ReadonlyMap<Socket, Exchange>): Socket | null {
  const before = performance.now() - STALLED_MS;
  for (const [socket, { startedAt, request, response }] of busy) {
    // Sorted by start time: all later ones are newer.
    if (startedAt > before) return null;
    if (!request.complete || response.writableEnded) return socket;
  }
  return null;
}
