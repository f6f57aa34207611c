/** A process that hangs is replaced in its role, and writes nothing in it from then on. Real processes, really stopped. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { testDatabase } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { until } from './support/until.ts';

const TAKEOVER_WITHIN_MS = 15_000;
const kills: (() => void)[] = [];
after(() => kills.forEach((kill) => kill()));

function startWriter({ connection }: TestDatabase, name: string, pauseMs: number) {
  const script = 'tests/support/lease-writer.ts';
  const child = spawn(process.execPath, [script, JSON.stringify(connection), name, String(pauseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  kills.push(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), printed: () => printed };
}

async function writersOf({ db }: TestDatabase): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`select writer from lease_writes order by id`.execute(db);
  return rows.map(({ writer }) => writer);
}

async function openWrites(): Promise<TestDatabase> {
  const database = await testDatabase();
  await sql`create table lease_writes (id bigserial primary key, writer text not null)`.execute(database.db);
  return database;
}

for (const [where, pauseMs] of [
  ['between transactions', 0],
  ['within a transaction', 400],
] as const) {
  test(`[OPS-23] replaces a leader stopped ${where} and refuses its later writes`, async () => {
    const database = await openWrites();
    const first = startWriter(database, 'first', pauseMs);
    await until(async () => (await writersOf(database)).length > 2);
    const second = startWriter(database, 'second', pauseMs);
    await sleep(500);
    assert.ok(!(await writersOf(database)).includes('second'), 'one writes at a time');

    const stoppedMs = performance.now();
    first.kill('SIGSTOP');
    await until(async () => (await writersOf(database)).includes('second'));
    assert.ok(performance.now() - stoppedMs < TAKEOVER_WITHIN_MS);

    first.kill('SIGCONT');
    // Either its transaction was refused, or its heartbeat has noted the loss and it tries none.
    await until(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where application_name = 'crypto-market lease' and datname = current_database()
          and state_change > now() - interval '3 s'
      `.execute(database.db);
      return rows.length === 2;
    });
    const count = (await writersOf(database)).length;
    await until(async () => (await writersOf(database)).length > count + 3);
    const writers = await writersOf(database);
    assert.ok(!writers.slice(writers.indexOf('second')).includes('first'), writers.join(' '));

    second.kill('SIGKILL');
    await until(async () => (await writersOf(database)).at(-1) === 'first');
    first.kill('SIGKILL');
  });
}
