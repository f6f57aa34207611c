/**
 * Fixtures for tests of the embedded database: directories with a space in their path, holders,
 * queries.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import { startEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import type { EmbeddedConnection, EmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts';
import { isPostmasterOf } from '#src/platform/database/postgres-process.ts';

export const project = path.resolve(import.meta.dirname, '../..');
const log = { debug() {}, info() {}, warn() {}, error() {} };

/** Directory with access for all users; removed after the tests, with every server in it. */
export const base = mkdtempSync(path.join(os.tmpdir(), 'crypto market '));
chmodSync(base, 0o755);

let count = 0;
const children = new Set<ChildProcess>();
const started: EmbeddedPostgres[] = [];
const locations = new Set<string>();

after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(started.map((postgres) => postgres.stop()));
  for (const location of locations) {
    const pid = await readPostmasterPid(location).catch(() => null);
    if (pid !== null && (await isServer(location, pid))) process.kill(pid, 'SIGKILL');
  }
  await rm(base, { recursive: true, force: true, maxRetries: 5 });
});

export function createDataDir(): string {
  const directory = path.join(base, `data ${++count}`);
  locations.add(directory);
  return directory;
}

export async function start(dataDir: string, isDurable = false): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, isDataDirExplicit: true, isDurable, log });
  started.push(postgres);
  return postgres;
}

const holderSays = z.union([
  z.object({ refused: z.string() }),
  z.object({
    connection: z.object({
      host: z.string(),
      port: z.number(),
      user: z.string(),
      password: z.string(),
      database: z.string(),
      ssl: z.literal(false),
    }),
    location: z.string(),
    notices: z.array(z.string()),
  }),
]);

export interface Holder {
  readonly child: ChildProcess;
  readonly connection: EmbeddedConnection;
  readonly location: string;
  readonly notices: string;
}

export interface HolderOptions {
  readonly dataDir: string;
  /** Where the data may be if the data directory was not set explicitly. */
  readonly rootHome?: string;
  /** The project directory. */
  readonly from?: string;
  readonly uid?: number;
}

export function spawnHolder({ dataDir, rootHome, from, uid }: HolderOptions): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      path.join(from ?? project, 'tests/support/database-holder.ts'),
      dataDir,
      ...(rootHome === undefined ? [] : [rootHome]),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: '/', ...(uid === undefined ? {} : { uid, gid: uid }) },
  );
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** A separate process that holds the database, like a shop. */
export async function startHolder(options: HolderOptions): Promise<Holder> {
  const child = spawnHolder(options);
  const line = await readFirstLine(child);
  if ('refused' in line) throw new Error(line.refused);
  locations.add(line.location);
  return { child, ...line, notices: line.notices.join(' ') };
}

async function readFirstLine(child: ChildProcess): Promise<z.output<typeof holderSays>> {
  assert.ok(child.stdout);
  for await (const line of createInterface({ input: child.stdout })) return holderSays.parse(JSON.parse(line));
  throw new Error('the process that should hold the database exited without output');
}

export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

export async function readPostmasterPid(location: string): Promise<number> {
  return Number((await readFile(path.join(location, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

export function isServer(location: string, pid: number): Promise<boolean> {
  return isPostmasterOf(path.join(location, 'postgres'), pid);
}

/** The first column of the result of a text's last statement. */
export async function query(connection: EmbeddedConnection, text: string): Promise<unknown[]> {
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    // Several statements in one text have several results.
    const result = [await client.query<Record<string, unknown>>(text)].flat().at(-1);
    return (result?.rows ?? []).map((row) => Object.values(row)[0]);
  } finally {
    await client.end();
  }
}

export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    assert.ok(tries < 6_000, `the condition did not become true: ${condition.toString()}`);
    await sleep(20);
  }
}
