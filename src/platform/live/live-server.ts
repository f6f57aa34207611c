/**
 * The live channel: a WebSocket that pushes changes to its user. The first frame authenticates; other parts interpret
 * the rest. Messages are not stored: a client reads again after it has reconnected.
 */
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import type { RawData } from 'ws';
import type { Identity } from '#src/platform/http/call.ts';
import { toClientKey } from '#src/platform/http/client-key.ts';
import type { Limit, RateLimits } from '#src/platform/http/rate-limits.ts';
import type { Log } from '#src/platform/process/log.ts';
import { parseFrame } from './live-frame.ts';
import type { LiveFrame, LiveMessage } from './live-frame.ts';
import { findClientAddress, readCookie } from './upgrade-request.ts';

const LIVE_PATH = '/api/wss';
export const isLivePath = (url: string | undefined): boolean => url?.split('?')[0] === LIVE_PATH;
const UNAUTHENTICATED = 4401;
const TOO_MANY = 4429;
const RESTARTING = 1012;
const TRY_AGAIN = 1013;

const MAX_FRAME_BYTES = 16 * 1024;
/** Maximum unsent bytes of a slow client before it is disconnected. It reconnects and reads again. */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** How long a client has to read a refusal. */
const LINGER_MS = 1_000;
const MAX_SOCKETS_PER_USER = 10;
const AUTHENTICATION_TIMEOUT_MS = 10_000;
const HEARTBEAT_MS = 30_000;
/** Frames per second on average, and in a burst. */
const FRAMES_PER_SECOND = 10;
const FRAME_BURST = 30;
const upgrades: Limit = { points: 120, seconds: 60, by: 'ip' };

/** One socket of a signed-in user. */
export interface LivePeer {
  /** As it was when the socket signed in. */
  readonly identity: Identity;
  sendMessage(message: LiveMessage): void;
  /** Disconnects the client, which reconnects in a moment. */
  disconnect(): void;
}

export interface LiveOptions {
  /** Finds the session of a token. A token of a browser needs its cookie too. */
  readonly identify: (bearer: string, sessionCookie: string | null) => Promise<Identity | null>;
  /** Which of these sessions are still active. */
  readonly listActiveSessions: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly sessionCookie: string;
  /** Origins that may connect. A client that sends no origin is not a browser. */
  readonly origins: ReadonlySet<string>;
  readonly trustedProxies: number;
  /** Maximum connections, authenticated or not. */
  readonly maxConnections: number;
  readonly limits: RateLimits;
  readonly log: Log;
  /** Called after a user has connected, to send the current state. */
  readonly onJoined: (userId: string) => void;
  readonly onFrame?: (peer: LivePeer, frame: LiveFrame) => void;
  readonly onLeft?: (peer: LivePeer) => void;
  /** Limits in ms, for tests. */
  readonly authenticationTimeoutMs?: number;
  readonly heartbeatMs?: number;
}

/**
 * A socket with its state in one object, and listeners shared by all sockets, to save memory with
 * thousands of idle connections.
 */
class Connection extends WebSocket implements LivePeer {
  server: LiveServer | null = null;
  cookie: string | null = null;
  authenticationTimer: NodeJS.Timeout | undefined;
  identified: Identity | null = null;
  isAuthenticating = false;
  hasPonged = true;
  frameAllowance = FRAME_BURST;
  frameAllowanceSince = 0;

  get identity(): Identity {
    if (this.identified === null) throw new Error('the connection is not authenticated');
    return this.identified;
  }

  sendMessage(message: LiveMessage): void {
    this.sendText(JSON.stringify(message));
  }

  /** The frame is serialized once for all sockets. */
  sendText(text: string): void {
    if (this.bufferedAmount > MAX_BUFFERED_BYTES) this.terminate();
    else if (this.readyState === WebSocket.OPEN) this.send(text);
  }

  disconnect(): void {
    this.close(TRY_AGAIN, 'try again later');
  }
}

export class LiveServer {
  readonly #options: LiveOptions;
  readonly #server = new WebSocketServer<typeof Connection>({
    WebSocket: Connection,
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    clientTracking: false,
  });
  readonly #connections = new Set<Connection>();
  readonly #byUser = new Map<string, Set<Connection>>();
  readonly #heartbeat: NodeJS.Timeout;
  #isClosing = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => void this.#checkHeartbeats(), options.heartbeatMs ?? HEARTBEAT_MS).unref();
  }

  /** Handles the upgrade requests of an HTTP server at `LIVE_PATH`. */
  attach(fastify: FastifyInstance): void {
    fastify.server.on('upgrade', (request, socket, head) => {
      // Without a listener, an error of the socket would end the process.
      socket.on('error', ignore);
      if (isLivePath(request.url)) void this.#upgrade(request, socket, head);
      else if (fastify.server.listenerCount('upgrade') === 1) refuse(socket, 404);
    });
    fastify.addHook('preClose', (done) => {
      this.close();
      done();
    });
  }

  /** Connected users of this process. */
  get users(): readonly string[] {
    return [...this.#byUser.keys()];
  }

  isConnected(userId: string): boolean {
    return this.#byUser.has(userId);
  }

  /** Sends to every socket of a user in this process. */
  send(userId: string, message: LiveMessage): void {
    const text = JSON.stringify(message);
    for (const connection of this.#byUser.get(userId) ?? []) connection.sendText(text);
  }

  /** Closes the sockets of an ended session. */
  closeSession(sessionId: string): void {
    for (const connection of this.#connections) {
      if (connection.identified?.sessionId === sessionId) connection.close(UNAUTHENTICATED, 'logged out');
    }
  }

  /** Disconnects every client. They reconnect after the restart. */
  close(): void {
    this.#isClosing = true;
    clearInterval(this.#heartbeat);
    for (const connection of this.#connections) connection.close(RESTARTING, 'restarting');
    // A client that does not respond must not delay the shutdown.
    setTimeout(() => {
      for (const connection of this.#connections) connection.terminate();
    }, 1_000).unref();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { limits, log, origins, sessionCookie, trustedProxies } = this.#options;
    const { origin } = request.headers;
    if (this.#isFull) return refuse(socket, 503);
    if (origin !== undefined && !origins.has(origin)) return refuse(socket, 403);
    try {
      const taken = await limits.consume(
        'GET /wss',
        upgrades,
        `ip:${toClientKey(findClientAddress(request, trustedProxies))}`,
      );
      if (!taken.ok) return refuse(socket, 429, taken.retryAfterSeconds);
      // The server may have closed, or filled, during the await.
      if (this.#isFull) return refuse(socket, 503);
      const cookie = readCookie(request.headers.cookie, sessionCookie);
      this.#server.handleUpgrade(request, socket, head, (opened) => this.#open(opened, cookie));
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'a live connection could not be opened',
      );
      refuse(socket, 503);
    }
  }

  get #isFull(): boolean {
    return this.#isClosing || this.#connections.size >= this.#options.maxConnections;
  }

  #open(connection: Connection, cookie: string | null): void {
    connection.server = this;
    connection.cookie = cookie;
    this.#connections.add(connection);
    connection.authenticationTimer = setTimeout(
      closeUnauthenticated,
      this.#options.authenticationTimeoutMs ?? AUTHENTICATION_TIMEOUT_MS,
      connection,
    );
    connection.authenticationTimer.unref();
    connection.on('pong', handlePong);
    // ws closes the connection after a protocol error.
    connection.on('error', ignore);
    connection.on('close', handleClose);
    connection.on('message', handleMessage);
  }

  /** Finds the peer in listeners that all sockets share. */
  handleFrame(connection: Connection, data: RawData, isBinary: boolean): void {
    const frame = isBinary ? null : parseFrame(data);
    if (connection.identified === null && !connection.isAuthenticating) {
      connection.isAuthenticating = true;
      clearTimeout(connection.authenticationTimer);
      connection.authenticationTimer = undefined;
      void this.#authenticate(connection, frame?.type === 'authenticate' ? frame['token'] : null);
      return;
    }
    if (!consumeFrameAllowance(connection)) connection.close(TOO_MANY, 'too many frames');
    // Frames sent before authentication has finished are dropped.
    else if (frame && connection.identified) this.#options.onFrame?.(connection, frame);
  }

  async #authenticate(connection: Connection, token: unknown): Promise<void> {
    const { identify, log, onJoined } = this.#options;
    const { cookie } = connection;
    connection.cookie = null;
    try {
      const identity = typeof token === 'string' ? await identify(token, cookie) : null;
      if (connection.readyState !== WebSocket.OPEN) return;
      const own = (identity && this.#byUser.get(identity.userId)) ?? new Set();
      if (!identity) connection.close(UNAUTHENTICATED, 'not authenticated');
      else if (own.size >= MAX_SOCKETS_PER_USER) connection.close(TOO_MANY, 'too many connections');
      else {
        connection.identified = identity;
        this.#byUser.set(identity.userId, own.add(connection));
        connection.sendMessage({ type: 'authenticated' });
        onJoined(identity.userId);
      }
    } catch (error) {
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a live connection failed');
      connection.disconnect();
    }
  }

  remove(connection: Connection): void {
    clearTimeout(connection.authenticationTimer);
    this.#connections.delete(connection);
    if (connection.identified === null) return;
    const { userId } = connection.identified;
    const own = this.#byUser.get(userId);
    own?.delete(connection);
    if (own?.size === 0) this.#byUser.delete(userId);
    this.#options.onLeft?.(connection);
  }

  /** Disconnects clients that do not respond, and ended sessions. */
  async #checkHeartbeats(): Promise<void> {
    for (const connection of this.#connections) {
      if (!connection.hasPonged) connection.terminate();
      connection.hasPonged = false;
      connection.ping();
    }
    try {
      const sessions = new Set([...this.#connections].flatMap(({ identified }) => identified?.sessionId ?? []));
      if (sessions.size === 0) return;
      const alive = await this.#options.listActiveSessions([...sessions]);
      for (const session of sessions) if (!alive.has(session)) this.closeSession(session);
    } catch {
      // The database is unreachable: the next heartbeat retries.
    }
  }
}

function refuse(socket: Duplex, status: number, retryAfterSeconds?: number): void {
  const retry = retryAfterSeconds === undefined ? '' : `Retry-After: ${retryAfterSeconds}\r\n`;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${retry}Connection: close\r\nContent-Length: 0\r\n\r\n`);
  // Frees the descriptor of a client that does not close its side.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function handlePong(this: WebSocket): void {
  if (this instanceof Connection) this.hasPonged = true;
}
function handleClose(this: WebSocket): void {
  if (this instanceof Connection) this.server?.remove(this);
}
function handleMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  if (this instanceof Connection) this.server?.handleFrame(this, data, isBinary);
}
const ignore = (): void => {};
const closeUnauthenticated = (connection: Connection): void => connection.close(UNAUTHENTICATED, 'not authenticated');

/** Counts a frame. False if there are too many. */
function consumeFrameAllowance(connection: Connection): boolean {
  const now = performance.now();
  const regained = ((now - connection.frameAllowanceSince) / 1000) * FRAMES_PER_SECOND;
  connection.frameAllowance = Math.min(connection.frameAllowance + regained, FRAME_BURST) - 1;
  connection.frameAllowanceSince = now;
  return connection.frameAllowance >= 0;
}
