import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isErrno } from './errno.ts';
import { listChildren } from './process-tree.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { PostgresUser } from './postgres-place.ts';

const isWindows = process.platform === 'win32';
const maxLogBytes = 10_000_000;

/** Lines 1, 4, 5, 6 and 8 of postmaster.pid. */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** Empty on systems without Unix sockets. */
  readonly socketDir: string;
  readonly listenAddress: string;
  readonly status: string;
}

/** Reads postmaster.pid. Null if there is none, `'empty'` while the server writes it. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | 'empty' | null> {
  let text: string;
  try {
    text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Math.abs(Number(lines[0]));
  if (!Number.isSafeInteger(pid) || pid === 0) return 'empty';
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketDir: lines[4] ?? '',
    listenAddress: lines[5] ?? '',
    status: lines[7] ?? '',
  };
}

export async function removePostmasterFile(cluster: string): Promise<void> {
  await rm(path.join(cluster, 'postmaster.pid'), { force: true });
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/**
 * Whether the process is a server of this cluster, according to its command line. After a reboot or
 * in a new container another process may have the same id. A zombie has no command line.
 */
export async function isPostmasterOf(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (isWindows) return true;
  if (process.platform === 'linux') {
    // Not the working directory: root in a container may not read that of another user.
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return commandLine.split('\0').includes(cluster);
  }
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }));
  return stdout.includes(cluster);
}

export interface PostmasterOptions {
  readonly cluster: string;
  readonly binaries: PostgresBinaries;
  readonly user: PostgresUser | null;
  /** Null: loopback on `port`. */
  readonly socketDir: string | null;
  readonly port: number;
  readonly isDurable: boolean;
  readonly logFile: string;
}

/** Starts a server that outlives this process. The next start finds it by its postmaster.pid. */
export async function spawnPostmaster(options: PostmasterOptions): Promise<ChildProcess> {
  const settings: Record<string, string> = {
    listen_addresses: options.socketDir === null ? '127.0.0.1' : '',
    unix_socket_directories: options.socketDir ?? '',
    unix_socket_permissions: '0700',
    port: String(options.port),
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The shop logs its own failed statements; the details contain personal data.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    jit: 'off',
    // Of a durable one: twice the default, so that scans of 100,000 products stay in memory; taken as it is used.
    // Of the other one: a killed process loses nothing; a power failure may lose everything. Its databases live for
    // seconds and need no vacuum.
    ...(options.isDurable
      ? { shared_buffers: '256MB' }
      : { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: '500' }),
  };
  const log = await openLog(options.logFile);
  try {
    const child = spawn(
      options.binaries.postgres,
      ['-D', options.cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        cwd: path.parse(options.cluster).root,
        // A separate process group, so that Ctrl-C reaches the shop only, which stops the server.
        detached: true,
        windowsHide: true,
        stdio: ['ignore', log.fd, log.fd],
        env: cleanEnvironment(),
        ...options.user,
      },
    );
    child.unref();
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return child;
  } finally {
    await log.close();
  }
}

export type StopResult = 'stopped' | 'forced';

/**
 * Stops a server: fast shutdown, then immediate shutdown (the next start recovers), then SIGKILL,
 * which also ends a suspended server.
 * @param withinMs time limit of all three together; the fast shutdown gets most of it
 */
export async function stopPostmaster(
  cluster: string,
  pid: number,
  binaries: PostgresBinaries,
  withinMs = 30_000,
): Promise<StopResult> {
  if (isWindows) {
    await runProgram(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w'], null);
    return 'stopped';
  }
  const shareMs = withinMs / 6;
  for (const [signal, waitMs] of [
    ['SIGINT', withinMs - 2 * shareMs],
    ['SIGQUIT', shareMs],
    ['SIGKILL', shareMs],
  ] as const) {
    // A killed server cannot stop its children, and a suspended child does not exit.
    const children = signal === 'SIGKILL' ? await listChildren(pid) : [];
    for (const target of [pid, ...children]) signalProcess(target, signal);
    const deadline = Date.now() + waitMs;
    do {
      if (!(await isPostmasterOf(cluster, pid))) return signal === 'SIGINT' ? 'stopped' : 'forced';
      await sleep(10);
    } while (Date.now() < deadline);
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

/** Runs a PostgreSQL program. @throws Error with the end of its output if it fails */
export async function runProgram(program: string, args: readonly string[], user: PostgresUser | null): Promise<void> {
  const child = spawn(program, args, {
    cwd: path.parse(program).root,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: cleanEnvironment(),
    ...user,
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString('utf8')).slice(-2_000);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  if (code !== 0) throw new Error(`${path.basename(program)} failed (${code}): ${output.trim()}`);
}

/** Length of the server's log in bytes. */
export async function readLogLength(logFile: string): Promise<number> {
  return stat(logFile).then(
    (status) => status.size,
    () => 0,
  );
}

/**
 * Finds why a server did not start: the last FATAL or PANIC message of its log after `offset` bytes.
 * @returns an empty string if there is none
 */
export async function findLogFailure(logFile: string, offset: number): Promise<string> {
  const bytes = await readFile(logFile).catch(() => Buffer.alloc(0));
  // A rotated log is shorter than the offset.
  const text = bytes.subarray(offset <= bytes.length ? offset : 0).toString('utf8');
  return [...text.matchAll(/(?:FATAL|PANIC): +(.+)/g)].at(-1)?.[1] ?? '';
}

async function openLog(logFile: string): ReturnType<typeof open> {
  if ((await readLogLength(logFile)) > maxLogBytes) await rename(logFile, `${logFile}.1`);
  return open(logFile, 'a', 0o640);
}

/** An environment without PG… variables, which would configure the embedded server. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { LC_ALL: 'C', PATH, ...(isWindows ? { SystemRoot, TEMP } : {}) };
}
