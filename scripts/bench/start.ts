/**
 * `npm run bench -- start`: measures the time from process start to the first page, and the resident
 * memory at rest, of a built shop with a database, compared with a bare node:http server.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endOrphanedDatabase, findFreePort } from '../../tests/support/shop-process.ts';
import { fillFromTemplate, makeTemporaryDirectory } from '../../tests/support/template.ts';

const RUNS = 5;
const REST_MS = 10_000;
const START_BUDGET_MS = 2_000;
const MEMORY_BUDGET_MB = 200;
const GIVE_UP_MS = 60_000;

const HELLO = `require('node:http').createServer((_, reply) => reply.end('hello')).listen(process.env.PORT, '127.0.0.1')`;

interface Started {
  readonly child: ChildProcess;
  readonly ms: number;
}

async function start(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Started> {
  const port = await findFreePort();
  const startedAt = performance.now();
  const env = { ...process.env, ...environment, PORT: String(port) };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  while (performance.now() - startedAt < GIVE_UP_MS && child.exitCode === null) {
    const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return { child, ms: performance.now() - startedAt };
    await sleep(5);
  }
  child.kill('SIGKILL');
  throw new Error('the server does not respond');
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Resident memory of one process in MB. Null without /proc. */
function readResidentMb({ pid }: ChildProcess): number | null {
  if (process.platform !== 'linux') return null;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

interface Figures {
  readonly startMs: number;
  readonly slowestMs: number;
  readonly memoryMb: number | null;
}

async function measure(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Figures> {
  const times: number[] = [];
  let memoryMb: number | null = null;
  for (let run = 1; run <= RUNS; run += 1) {
    const { child, ms } = await start(args, environment);
    times.push(ms);
    if (run === RUNS) {
      await sleep(REST_MS);
      memoryMb = readResidentMb(child);
    }
    await stop(child);
  }
  times.sort((a, b) => a - b);
  return { startMs: times[Math.floor(RUNS / 2)] ?? 0, slowestMs: times.at(-1) ?? 0, memoryMb };
}

function print(what: string, { startMs, slowestMs, memoryMb }: Figures): void {
  const memory = memoryMb === null ? 'memory unknown on this system' : `${memoryMb.toFixed(0)} MB resident at rest`;
  console.log(
    `${what.padEnd(14)} first page after ${startMs.toFixed(0)} ms (median of ${RUNS}, slowest ${slowestMs.toFixed(0)}), ${memory}`,
  );
}

const dataDir = makeTemporaryDirectory();
try {
  await fillFromTemplate(dataDir);
  const shop = await measure(['scripts/run.mjs', 'start'], { DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const hello = await measure(['-e', HELLO], {});
  print('the shop', shop);
  print('a bare hello', hello);
  console.log(`budget         ${START_BUDGET_MS} ms and ${MEMORY_BUDGET_MB} MB, without the database's own processes`);
} finally {
  endOrphanedDatabase(dataDir);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
