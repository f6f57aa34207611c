/** One process of the real shop: `npm start` with its own environment. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 300_000;
const STOPPED_WITHIN_MS = 60_000;

/** Empty, so that neither the developer's environment nor a `.env` has an effect. */
const BLANK_SETTINGS = {
  SHOP_MODE: '',
  HOST: '',
  PUBLIC_URL: '',
  ASSETS_DIR: '',
  DATABASE_URL: '',
  BITCOIN_NETWORK: '',
  BITCOIN_XPUB: '',
  WALLET_SCRIPT: '',
  CHAIN_SOURCE: '',
  CORE_RPC_URL: '',
  CORE_COOKIE_FILE: '',
  ESPLORA_URL: '',
  CONFIRMATIONS: '',
  PAYMENT_WINDOW_S: '',
  LATE_TOLERANCE: '',
  RATE_SOURCE: '',
  RATE_SPREAD: '',
  RATE_URLS: '',
  ECB_RATES_URL: '',
  SMTP_URL: '',
  MAIL_FROM: '',
  SUPPORT_EMAIL: '',
  METRICS_PORT: '',
  METRICS_HOST: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  OTEL_SERVICE_NAME: '',
  OTEL_TRACES_SAMPLER: '',
  OTEL_TRACES_SAMPLER_ARG: '',
  UPLOADS_URL: '',
  UPLOADS_MAX_GB: '',
  UPLOADS_ENDPOINT: '',
  UPLOADS_REGION: '',
  UPLOADS_ACCESS_KEY_ID: '',
  UPLOADS_SECRET_ACCESS_KEY: '',
  UPLOADS_PATH_STYLE: '',
  TRUST_PROXY: '',
  DRAIN_SECONDS: '',
  PAGES: '',
  PREPARED_STATEMENTS: '',
};

export const TEST_SETTINGS = { RATE_LIMITS: 'off', DEVCHAIN_AUTOMINE: 'off', LOG_LEVEL: 'warn' };

export type Settings = Readonly<Record<string, string>>;

export interface ShopProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Output so far. */
  readOutput(): string;
  /** Sends SIGTERM and waits for the exit. @throws if it does not exit with 0 */
  stop(): Promise<void>;
  /** Sends SIGKILL, like a power loss. */
  kill9(): Promise<void>;
}

export interface ProcessOptions {
  /** Directory of the project; default: this one. */
  readonly project?: string;
  /** User id of the process; default: the user of the tests. */
  readonly uid?: number;
  /** Limit of open files of the shop's process; by default that of this one. */
  readonly openFiles?: number | undefined;
}

const running = new Set<ChildProcess>();
// Stops the shops of a test file that ends early: the runner stops slow files with SIGTERM.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
process.once('SIGTERM', () => process.exit(143));

/**
 * Starts the shop on a data directory and waits until it is ready. Throws with its output if it
 * exits.
 */
export async function startShopProcess(
  dataDir: string,
  settings: Settings = {},
  { project = process.cwd(), uid, openFiles }: ProcessOptions = {},
): Promise<ShopProcess> {
  const port = Number(settings['PORT'] ?? (await findFreePort()));
  const start = [process.execPath, 'scripts/run.mjs', 'start'];
  const [program = '', ...args] =
    openFiles === undefined ? start : ['/bin/sh', '-c', 'ulimit -n "$0" && exec "$@"', String(openFiles), ...start];
  const child = spawn(program, args, {
    env: {
      ...process.env,
      ...BLANK_SETTINGS,
      ...TEST_SETTINGS,
      DATA_DIR: dataDir,
      ...settings,
      PORT: String(port),
      NODE_TEST_CONTEXT: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: project,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  running.add(child);
  // If a test does not stop its shop, the process still exits and stops it.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => {
      running.delete(child);
      resolve();
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const shop: ShopProcess = {
    url,
    port,
    pid: child.pid ?? 0,
    readOutput: () => printed,
    stop: async () => {
      if (!running.has(child)) return;
      child.ref();
      child.kill('SIGTERM');
      const inTime = await Promise.race([ended.then(() => true), sleep(STOPPED_WITHIN_MS, false, { ref: false })]);
      if (!inTime) {
        child.kill('SIGKILL');
        throw new Error(`the shop did not stop on SIGTERM:\n${printed}`);
      }
      if (child.exitCode !== 0)
        throw new Error(`the shop stopped with ${child.exitCode ?? child.signalCode}:\n${printed}`);
    },
    kill9: async () => {
      child.ref();
      child.kill('SIGKILL');
      await ended;
    },
  };
  await waitForReady(child, shop);
  return shop;
}

async function waitForReady(child: ChildProcess, shop: ShopProcess): Promise<void> {
  const deadline = AbortSignal.timeout(READY_WITHIN_MS);
  while (!deadline.aborted) {
    if (!running.has(child)) throw new Error(`the shop ended instead of starting:\n${shop.readOutput()}`);
    const status = await fetch(`${shop.url}/readyz`).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return;
    await sleep(100);
  }
  await shop.kill9();
  throw new Error(`the shop was not ready after ${READY_WITHIN_MS / 1000} s:\n${shop.readOutput()}`);
}

/** Stops a database whose shop has exited. The first line of its pid file is its process id. */
export function endOrphanedDatabase(dataDir: string): void {
  try {
    const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (pid > 1) process.kill(pid, 'SIGQUIT');
    const socketDir = lines[4]?.trim();
    if (socketDir) rmSync(socketDir, { recursive: true, force: true });
  } catch {
    // No file or no process: there is no orphan.
  }
}

/** Below the ports that systems assign automatically. */
const [FIRST_PORT, PORTS_EACH, SHARES] = [11_000, 50, 400];
let ownShare: Promise<number> | null = null;
let portsGiven = 0;

/** Null if the port is in use. */
function listenAt(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Reserves a range of ports by listening on its first port, and returns that port. */
async function takeShare(): Promise<number> {
  for (let index = 0; index < SHARES; index += 1) {
    const first = FIRST_PORT + ((process.pid + index) % SHARES) * PORTS_EACH;
    const holder = await listenAt(first);
    if (holder === null) continue;
    holder.unref();
    return first;
  }
  throw new Error('all port ranges are in use');
}

/** Returns a port that no other test file or connection uses, also while its shop is down. */
export async function findFreePort(): Promise<number> {
  const first = await (ownShare ??= takeShare());
  for (let triesLeft = PORTS_EACH; triesLeft > 0; triesLeft -= 1) {
    const port = first + 1 + (portsGiven++ % (PORTS_EACH - 1));
    const server = await listenAt(port);
    if (server === null) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error(`no port above ${first} is free`);
}
