/**
 * The live channel: a WebSocket that says what happens to its user's things. The first frame proves who that is; what the
 * frames mean beyond that is the business of others. Nothing that is said here is kept: who was away reads anew.
 */
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import type { Identity } from '../http/call.ts';
import type { Limit, RateLimits } from '../http/rate-limits.ts';
import type { Log } from '../log.ts';
import { clientAddress, cookieIn } from './upgrade-request.ts';

const LIVE_PATH = '/api/wss';
export const isLivePath = (url: string | undefined): boolean => url?.split('?')[0] === LIVE_PATH;
const UNAUTHENTICATED = 4401;
const TOO_MANY = 4429;
const RESTARTING = 1012;

const MAX_FRAME_BYTES = 16 * 1024;
/** What may wait for a slow reader before it is let go; it comes back and reads anew. */
const MAX_WAITING_BYTES = 256 * 1024;
const MAX_SOCKETS = 10_000;
const MAX_SOCKETS_A_USER = 10;
const AUTHENTICATE_WITHIN_MS = 10_000;
const BEAT_MS = 30_000;
const FRAMES_A_SECOND = 10;
const upgrades: Limit = { points: 120, seconds: 60, by: 'ip' };

export interface LiveMessage {
  readonly type: string;
  readonly data?: unknown;
}

export interface LiveOptions {
  /** Whose session a token is; a browser's must come with its cookie. */
  readonly identify: (bearer: string, sessionCookie: string | null) => Promise<Identity | null>;
  /** Which of these sessions are still alive. */
  readonly aliveOf: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly sessionCookie: string;
  /** Pages of which may connect; who sends no origin is no browser. */
  readonly origins: ReadonlySet<string>;
  readonly trustedProxies: number;
  readonly limits: RateLimits;
  readonly log: Log;
  /** Somebody is there now, or again: what did they miss? */
  readonly onJoined: (userId: string) => void;
  /** Limits in ms, for tests. */
  readonly authenticateWithinMs?: number;
  readonly beatMs?: number;
}

interface Connection {
  readonly socket: WebSocket;
  identity: Identity | null;
  isAlive: boolean;
  frames: number;
  framesSince: number;
}

export class LiveServer {
  readonly #options: LiveOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  readonly #connections = new Set<Connection>();
  readonly #byUser = new Map<string, Set<Connection>>();
  readonly #beat: NodeJS.Timeout;
  #isClosing = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#beat = setInterval(() => void this.#feelPulse(), options.beatMs ?? BEAT_MS).unref();
  }

  /** Takes the upgrades of an HTTP server at `LIVE_PATH`. */
  attach(fastify: FastifyInstance): void {
    fastify.server.on('upgrade', (request, socket, head) => {
      // A connection that dies now says so itself; unheard it would end the process.
      socket.on('error', () => {});
      if (isLivePath(request.url)) void this.#upgrade(request, socket, head);
      else if (fastify.server.listenerCount('upgrade') === 1) refuse(socket, 404);
    });
    fastify.addHook('preClose', (done) => {
      this.close();
      done();
    });
  }

  /** Users that somebody listens for, in this process. */
  get users(): readonly string[] {
    return [...this.#byUser.keys()];
  }

  isListening(userId: string): boolean {
    return this.#byUser.has(userId);
  }

  /** To every socket of a user, in this process. */
  send(userId: string, message: LiveMessage): void {
    const text = JSON.stringify(message);
    for (const connection of this.#byUser.get(userId) ?? []) {
      if (connection.socket.bufferedAmount > MAX_WAITING_BYTES) connection.socket.terminate();
      else connection.socket.send(text);
    }
  }

  /** A session is over: what listens by it is told so. */
  endSession(sessionId: string): void {
    for (const { identity, socket } of this.#connections) {
      if (identity?.sessionId === sessionId) socket.close(UNAUTHENTICATED, 'signed out');
    }
  }

  /** Sends everybody away, to come back when the shop does. */
  close(): void {
    this.#isClosing = true;
    clearInterval(this.#beat);
    for (const { socket } of this.#connections) {
      socket.close(RESTARTING, 'restarting');
      // Who does not answer must not hold the end up.
      setTimeout(() => socket.terminate(), 1_000).unref();
    }
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { limits, log, origins, sessionCookie, trustedProxies } = this.#options;
    const { origin } = request.headers;
    if (this.#takesNobody) return refuse(socket, 503);
    if (origin !== undefined && !origins.has(origin)) return refuse(socket, 403);
    try {
      const taken = await limits.take('GET /wss', upgrades, `ip:${clientAddress(request, trustedProxies)}`);
      if (!taken.ok) return refuse(socket, 429, taken.retryAfterSeconds);
      // The end may have come meanwhile, and others.
      if (this.#takesNobody) return refuse(socket, 503);
      const cookie = cookieIn(request.headers.cookie, sessionCookie);
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#open(opened, cookie));
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a live connection was not opened');
      refuse(socket, 503);
    }
  }

  get #takesNobody(): boolean {
    return this.#isClosing || this.#connections.size >= MAX_SOCKETS;
  }

  #open(socket: WebSocket, cookie: string | null): void {
    const connection: Connection = { socket, identity: null, isAlive: true, frames: 0, framesSince: 0 };
    this.#connections.add(connection);
    const late = setTimeout(
      () => socket.close(UNAUTHENTICATED, 'not authenticated'),
      this.#options.authenticateWithinMs ?? AUTHENTICATE_WITHIN_MS,
    ).unref();
    socket.on('pong', () => (connection.isAlive = true));
    // What the sender did wrong, ws closes the connection for by itself.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(late);
      this.#forget(connection);
    });
    socket.once('message', (data, isBinary) => {
      clearTimeout(late);
      void this.#authenticate(connection, isBinary ? null : tokenIn(data), cookie);
    });
  }

  async #authenticate(connection: Connection, token: string | null, cookie: string | null): Promise<void> {
    const { identify, log, onJoined } = this.#options;
    const { socket } = connection;
    // Frames that come before the answer wait for nobody; after it they are counted.
    socket.on('message', () => this.#count(connection));
    try {
      const identity = token === null ? null : await identify(token, cookie);
      if (socket.readyState !== socket.OPEN) return;
      const own = (identity && this.#byUser.get(identity.userId)) ?? new Set();
      if (!identity) socket.close(UNAUTHENTICATED, 'not authenticated');
      else if (own.size >= MAX_SOCKETS_A_USER) socket.close(TOO_MANY, 'too many connections');
      else {
        connection.identity = identity;
        this.#byUser.set(identity.userId, own.add(connection));
        socket.send(JSON.stringify({ type: 'authenticated' }));
        onJoined(identity.userId);
      }
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a live connection failed');
      socket.close(1013, 'try again later');
    }
  }

  /** Nobody has anything to say yet; who talks all the same is sent away. */
  #count(connection: Connection): void {
    const second = Math.floor(performance.now() / 1000);
    if (connection.framesSince !== second) [connection.framesSince, connection.frames] = [second, 0];
    connection.frames += 1;
    if (connection.frames > FRAMES_A_SECOND) connection.socket.close(TOO_MANY, 'too many frames');
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection);
    const userId = connection.identity?.userId;
    const own = userId === undefined ? undefined : this.#byUser.get(userId);
    own?.delete(connection);
    if (userId !== undefined && own?.size === 0) this.#byUser.delete(userId);
  }

  /** Lets go of who does not answer, and of sessions that are over. */
  async #feelPulse(): Promise<void> {
    for (const connection of this.#connections) {
      if (!connection.isAlive) connection.socket.terminate();
      connection.isAlive = false;
      connection.socket.ping();
    }
    try {
      const sessions = new Set([...this.#connections].flatMap(({ identity }) => identity?.sessionId ?? []));
      if (sessions.size === 0) return;
      const alive = await this.#options.aliveOf([...sessions]);
      for (const session of sessions) if (!alive.has(session)) this.endSession(session);
    } catch {
      // The database is away: the next beat asks again.
    }
  }
}

function refuse(socket: Duplex, status: number, retryAfterSeconds?: number): void {
  const retry = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retry}Connection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** The token of `{type: 'authenticate', token}`; null for anything else. */
function tokenIn(data: RawData): string | null {
  try {
    const frame: unknown = JSON.parse(Buffer.isBuffer(data) ? data.toString('utf8') : '');
    if (typeof frame !== 'object' || frame === null || !('type' in frame) || !('token' in frame)) return null;
    return frame.type === 'authenticate' && typeof frame.token === 'string' ? frame.token : null;
  } catch {
    return null;
  }
}
