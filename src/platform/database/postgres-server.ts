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
  /** It was running before us. */
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
/** A server that is there and does not answer for so long is stopped: nobody can reach it any more. */
const unresponsiveMs = 5_000;
/** How long a new server may say that it is ready and still refuse the first connection. */
const firstConnectionMs = 15_000;

/**
 * The cluster's server: the one that runs, else a new one.
 * @param address where a new server listens; null lets it choose.
 * @throws DatabaseStartError with the reason in one line.
 */
export async function ensureServer(options: ServerOptions, address: ServerAddress | null): Promise<Server> {
  const { home, cluster } = options.place;
  for (let failures = 0; ; failures++) {
    const found = (await findServer(options)) ?? (await startServer(options, address));
    if (!('failure' in found)) return found;
    // Backends of a killed server may still be going, or another start was faster: both pass.
    if (failures === 8 || !isTransientFailure(found.failure)) {
      throw new DatabaseStartError(describeStartFailure(found.failure, { home, cluster }));
    }
    await sleep(Math.min(50 * 2 ** failures, 2_000), undefined, { signal: options.signal });
  }
}

/**
 * The running server of the cluster, waited for while it starts, recovers or stops; null when there is none.
 * @throws DatabaseStartError when it was suspended with SIGSTOP.
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
      // PostgreSQL clears away the note of a dead process, but stops at a number that somebody else has now.
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
    // Nobody can connect to a server whose socket was removed.
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
  const logFile = logFileOf(place);
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

/** A connection of the supervisor's; never a source of uncaught errors. */
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
  // node-postgres ends the process over an 'error' that nobody listens to.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/**
 * Null when a connection is made and the server is the cluster's; else the reason, `no-socket` when its socket is gone.
 * @throws DatabaseStartError when the server refuses our password.
 */
async function findConnectionProblem(
  options: Omit<ServerOptions, 'isDurable'>,
  address: ServerAddress,
): Promise<string | null> {
  let client: Client;
  try {
    client = await connectAsAdmin(address, options.password, 'crypto-market probe');
  } catch (error) {
    // Wrong credentials will not become right by waiting.
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
    return isOurs ? null : `another database answers there (${directory})`;
  } catch (error) {
    return String(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function logFileOf(place: PostgresPlace): string {
  return path.join(place.home, 'postgres.log');
}

/** Removes the directory of a socket, if it is one that we made. */
export async function removeSocketDir(socketDir: string): Promise<void> {
  if (path.basename(socketDir).startsWith(socketDirPrefix)) await rm(socketDir, { recursive: true, force: true });
}

async function chooseAddress(user: PostgresUser | null): Promise<ServerAddress> {
  if (process.platform === 'win32') return { host: '127.0.0.1', port: await freePort() };
  for (const base of [os.tmpdir(), '/tmp']) {
    if (!plainPath.test(base) || !(await canEnter(user, base).catch(() => false))) continue;
    const host = await mkdtemp(path.join(base, socketDirPrefix));
    if (user !== null) await chown(host, user.uid, user.gid);
    return { host, port: socketPort };
  }
  throw new Error('no temporary directory for the socket of the database: set TMPDIR to a short path');
}

/** A temporary directory may have been swept away under a running shop. */
async function ensureSocketDir(socketDir: string, user: PostgresUser | null): Promise<void> {
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  try {
    await mkdir(socketDir, { mode: 0o700 });
    if (user !== null) await chown(socketDir, user.uid, user.gid);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    const found = await lstat(socketDir);
    if (!found.isDirectory() || found.uid !== owner)
      throw new Error(`${socketDir} belongs to somebody else`, { cause: error });
  }
}

async function freePort(): Promise<number> {
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
