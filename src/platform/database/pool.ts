/** Connection pools that follow a failover of the database. */
import { Socket } from 'node:net';
import { Client, Pool } from 'pg';
import type { PoolClient } from 'pg';
import type { DatabaseConnection } from './database-url.ts';
import { KEEP_ALIVE, PrimaryClient } from './primary-client.ts';

const READ_ONLY = '25006';
const WATCH_INTERVAL_MS = 1_000;
/** A connection in use that receives nothing for this long makes the pool check its server. */
const SILENT_MS = 2_000;
const CHECK_TIMEOUT_MS = 2_000;

interface Tracked {
  isIdle: boolean;
  /** Whether it is not used again. */
  isRetired: boolean;
  bytesRead: number;
  readAtMs: number;
}

/** Opens a pool. The options are also those of each client. */
export function openPool(options: DatabaseConnection): Pool {
  const pool = new Pool({ Client: PrimaryClient, ...KEEP_ALIVE, ...options });
  const clients = new Map<PoolClient, Tracked>();
  trackClients(pool, clients, options);
  watchServers(pool, clients, options);
  return pool;
}

const readSocket = (client: PoolClient): Socket | null => {
  const { stream } = client.connection;
  return stream instanceof Socket ? stream : null;
};

/**
 * After a switchover a connection may be to a server that has become a standby, also behind a proxy. At its first
 * refused write all connections are closed: idle ones immediately, others when they are released.
 */
function trackClients(pool: Pool, clients: Map<PoolClient, Tracked>, { servers }: DatabaseConnection): void {
  const retireAll = (): void => {
    for (const [client, tracked] of clients) {
      tracked.isRetired = true;
      servers?.forget(client);
      // The pool removes an idle client at its error.
      if (tracked.isIdle) client.connection.stream.destroy(new Error('the database server is read-only'));
    }
  };
  pool.on('connect', (client) => {
    clients.set(client, { isIdle: false, isRetired: false, bytesRead: 0, readAtMs: performance.now() });
    client.once('end', () => clients.delete(client));
    client.connection.on('errorMessage', (message: { readonly code?: string }) => {
      if (message.code === READ_ONLY) retireAll();
    });
  });
  pool.on('acquire', (client) => {
    const tracked = clients.get(client);
    if (tracked !== undefined) Object.assign(tracked, { isIdle: false, readAtMs: performance.now() });
  });
  pool.on('release', (_error, client) => {
    const tracked = clients.get(client);
    if (tracked === undefined) return;
    tracked.isIdle = true;
    // The pool does not reuse a client that ends.
    if (tracked.isRetired) void client.end();
  });
}

/**
 * A machine that loses power or its network closes no connection, and a statement would wait for minutes. Silence alone
 * is no failure, since a statement may take long: the connections are closed when the server also accepts no new one.
 */
function watchServers(pool: Pool, clients: Map<PoolClient, Tracked>, options: DatabaseConnection): void {
  let isChecking = false;
  const check = async (silent: PoolClient): Promise<void> => {
    isChecking = true;
    // Twice, since a busy server may be slow once.
    const responds = (await respondsAt(silent, options)) || (await respondsAt(silent, options));
    isChecking = false;
    if (responds) return;
    const error = new Error('Connection terminated because the database server does not respond');
    for (const client of clients.keys()) {
      if (client.host === silent.host && client.port === silent.port) client.connection.stream.destroy(error);
    }
  };
  let lastMs = performance.now();
  const timer = setInterval(() => {
    if (pool.ending) return clearInterval(timer);
    const silent = findSilent(clients);
    // A process that was paused has not read yet what it received.
    const wasPaused = performance.now() - lastMs > 2 * WATCH_INTERVAL_MS;
    lastMs = performance.now();
    if (silent !== null && !isChecking && !wasPaused) void check(silent);
    return undefined;
  }, WATCH_INTERVAL_MS).unref();
}

function findSilent(clients: ReadonlyMap<PoolClient, Tracked>): PoolClient | null {
  const nowMs = performance.now();
  let silent: PoolClient | null = null;
  for (const [client, tracked] of clients) {
    const bytesRead = readSocket(client)?.bytesRead ?? 0;
    if (bytesRead !== tracked.bytesRead) Object.assign(tracked, { bytesRead, readAtMs: nowMs });
    else if (!tracked.isIdle && nowMs - tracked.readAtMs > SILENT_MS && !client.host.startsWith('/')) silent = client;
  }
  return silent;
}

/** Whether the server of a client responds to a new connection; a refusal is a response. */
async function respondsAt({ host, port }: PoolClient, options: DatabaseConnection): Promise<boolean> {
  const client = new Client({ ...options, connectionTimeoutMillis: CHECK_TIMEOUT_MS });
  client.host = host;
  client.port = port;
  let hasResponded = false;
  client.on('error', () => {});
  client.connection.on('errorMessage', () => (hasResponded = true));
  try {
    await client.connect();
    void client.end();
    return true;
  } catch {
    return hasResponded;
  }
}
