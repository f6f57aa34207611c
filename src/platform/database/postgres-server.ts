import type { ChildProcess } from 'node:child_process';
import { chown, lstat, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DatabaseStartError } from './database-refused-error.ts';
import { isErrno } from './errno.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { adminRole } from './postgres-cluster.ts';
import { canEnter } from './postgres-place.ts';
import type { PostgresPlace, PostgresUser } from './postgres-place.ts';
import {
  findLogFailure,
  isAlive,
  isPostmasterOf,
  readLogLength,
  readPostmasterFile,
  removePostmasterFile,
  spawnPostmaster,
  stopPostmaster,
} from './postgres-process.ts';
import { isSuspended } from './process-tree.ts';
import { isTransientFailure, describeStartFailure } from './start-failure.ts';

/** What node-postgres connects to; `host` is the directory of a unix socket, or loopback where there are none. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

export interface Server extends ServerAddress {
  readonly pid: number;
  /** True if the server was running already. */
  readonly isAdopted: boolean;
}

export interface ServerOptions {
  readonly place: PostgresPlace;
  readonly binaries: PostgresBinaries;
  readonly password: string;
  readonly isDurable: boolean;
  readonly signal: AbortSignal;
}

const socketPort = 5432;
/** A socket's path has at most 107 bytes, and the setting is a list: no commas, quotes or spaces. */
const plainPath = /^[\w/.+-]{1,60}$/;
const socketDirPrefix = 'crypto-market-socket-';
/** A server that has not responded for this long is stopped. */
const unresponsiveMs = 5_000;
/** How long a new server may refuse connections after it has reported that it is ready. */
const firstConnectionMs = 15_000;

/**
 * Returns the running server of the cluster, or starts one.
 * @param address where a new server listens; null chooses an address
 * @throws DatabaseStartError with the reason in one line
 */
export async function ensureServer(options: ServerOptions, address: ServerAddress | null): Promise<Server> {
  const { home, cluster } = options.place;
  for (let failures = 0; ; failures++) {
    const found = (await findServer(options)) ?? (await startServer(options, address));
    if (!('failure' in found)) return found;
    // Backends of a killed server may still run, or another process starts the server. Both are temporary.
    if (failures === 8 || !isTransientFailure(found.failure)) {
      throw new DatabaseStartError(describeStartFailure(found.failure, { home, cluster }));
    }
    await sleep(Math.min(50 * 2 ** failures, 2_000), undefined, { signal: options.signal });
  }
}

/**
 * Finds the running server of the cluster; waits while it starts, recovers or stops. Null if there is none.
 * @throws DatabaseStartError if it was suspended with SIGSTOP
 */
export async function findServer(options: Omit<ServerOptions, 'isDurable'>): Promise<Server | null> {
  const { cluster, home } = options.place;
  for (let since = Date.now(); ; await sleep(20, undefined, { signal: options.signal })) {
    const file = await readPostmasterFile(cluster);
    if (file === null) return null;
    if (file === 'empty') {
      if (Date.now() - since < unresponsiveMs) continue;
      await removePostmasterFile(cluster);
      return null;
    }
    if (!(await isPostmasterOf(cluster, file.pid))) {
      // PostgreSQL removes the pid file of a dead process, but refuses one whose pid was reused.
      if (isAlive(file.pid)) await removePostmasterFile(cluster);
      if (file.socketDir !== '') await removeSocketDir(file.socketDir);
      return null;
    }
    if (await isSuspended(file.pid)) {
      throw new DatabaseStartError(
        `The database in ${home} was suspended (process ${file.pid} has had SIGSTOP): run "kill -CONT ${file.pid}" and start again.`,
      );
    }
    if (file.status !== 'ready') {
      since = Date.now();
      continue;
    }
    const address = { host: file.socketDir === '' ? file.listenAddress : file.socketDir, port: file.port };
    const refusal = await findConnectionProblem(options, address);
    if (refusal === null) return { ...address, pid: file.pid, isAdopted: true };
    // Without its socket, a server accepts no connections.
    if (refusal === 'no-socket' || Date.now() - since > unresponsiveMs) {
      await stopPostmaster(cluster, file.pid, options.binaries);
    }
  }
}

async function startServer(
  options: ServerOptions,
  address: ServerAddress | null,
): Promise<Server | { readonly failure: string }> {
  const { place, binaries, isDurable, signal } = options;
  const { host, port } = address ?? (await chooseAddress(place.user));
  const isSocket = path.isAbsolute(host);
  if (isSocket) await ensureSocketDir(host, place.user);
  const logFile = getLogFile(place);
  const logStart = await readLogLength(logFile);
  const socketDir = isSocket ? host : null;
  const child = await spawnPostmaster({ ...place, binaries, socketDir, port, isDurable, logFile });
  try {
    let readySince: number | null = null;
    let refusal = '';
    while (!hasEnded(child)) {
      const file = await readPostmasterFile(place.cluster);
      if (file !== null && file !== 'empty' && file.pid === child.pid && file.status === 'ready') {
        readySince ??= Date.now();
        const refused = await findConnectionProblem(options, { host, port });
        if (refused === null) return { host, port, pid: file.pid, isAdopted: false };
        refusal = refused;
        if (Date.now() - readySince > firstConnectionMs) break;
      }
      await sleep(10, undefined, { signal });
    }
    if (hasEnded(child)) refusal = await findLogFailure(logFile, logStart);
    throw new StartFailed(refusal);
  } catch (error) {
    // A refused start leaves no server behind.
    if (!hasEnded(child)) await stopPostmaster(place.cluster, child.pid ?? 0, binaries, 6_000);
    if (address === null && isSocket) await removeSocketDir(host);
    if (error instanceof StartFailed) return { failure: error.message };
    throw error;
  }
}

class StartFailed extends Error {}

/** Opens a connection of the supervisor. Its errors are never uncaught. */
export async function connectAsAdmin(address: ServerAddress, password: string, name: string): Promise<Client> {
  const client = new Client({
    ...address,
    user: adminRole,
    password,
    database: 'postgres',
    ssl: false,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // An 'error' without a listener would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Null if the server accepts a connection and is that of the cluster; otherwise the reason. `no-socket`: no socket.
 * @throws DatabaseStartError if the server refuses the password
 */
async function findConnectionProblem(
  options: Omit<ServerOptions, 'isDurable'>,
  address: ServerAddress,
): Promise<string | null> {
  let client: Client;
  try {
    client = await connectAsAdmin(address, options.password, 'crypto-market probe');
  } catch (error) {
    // A wrong password does not become valid by waiting.
    if (isErrno(error, '28P01', '28000')) {
      const { home, cluster } = options.place;
      throw new DatabaseStartError(describeStartFailure(String(error), { home, cluster }), { cause: error });
    }
    return isErrno(error, 'ENOENT') ? 'no-socket' : String(error);
  }
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const directory = rows[0]?.data_directory;
    const isOurs = directory !== undefined && (await realpath(directory)) === options.place.cluster;
    return isOurs ? null : `another database responds there (${directory})`;
  } catch (error) {
    return String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function getLogFile(place: PostgresPlace): string {
  return path.join(place.home, 'postgres.log');
}

/** Removes the directory of a socket if this program created it. */
export async function removeSocketDir(socketDir: string): Promise<void> {
  if (path.basename(socketDir).startsWith(socketDirPrefix)) await rm(socketDir, { recursive: true, force: true });
}

async function chooseAddress(user: PostgresUser | null): Promise<ServerAddress> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await findFreePort() };
  for (const base of [os.tmpdir(), '/tmp']) {
    if (!plainPath.test(base) || !(await canEnter(user, base).catch(() => false))) continue;
    const host = await mkdtemp(path.join(base, socketDirPrefix));
    if (user !== null) await chown(host, user.uid, user.gid);
    return { host, port: socketPort };
  }
  throw new Error('no temporary directory for the socket of the database: set TMPDIR to a short path');
}

/** Recreates the directory if a cleaner of temporary files has removed it. */
async function ensureSocketDir(socketDir: string, user: PostgresUser | null): Promise<void> {
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  try {
    await mkdir(socketDir, { mode: 0o700 });
    if (user !== null) await chown(socketDir, user.uid, user.gid);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    const found = await lstat(socketDir);
    if (!found.isDirectory() || found.uid !== owner)
      throw new Error(`${socketDir} belongs to another user`, { cause: error });
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (bound === null || typeof bound === 'string') throw new Error('no free port on loopback');
  return bound.port;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
