/**
 * A process that hangs loses the leader lock and cannot write afterwards. Real processes,
 * stopped with SIGSTOP.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { createTestDatabase } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { textAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const TAKEOVER_WITHIN_MS = 15_000;
const kills: (() => void)[] = [];
after(() => {
  for (const kill of kills) kill();
});

function startWriter({ connection }: TestDatabase, name: string, pauseMs: number) {
  const script = 'tests/support/leader-lock-writer.ts';
  const child = spawn(process.execPath, [script, JSON.stringify(connection), name, String(pauseMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  kills.push(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  return { kill: (sendSignal: NodeJS.Signals) => child.kill(sendSignal), readPrinted: () => printed };
}

async function listWriters({ db }: TestDatabase): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`select writer from lease_writes order by id`.execute(db);
  return rows.map(({ writer }) => writer);
}

async function openWrites(): Promise<TestDatabase> {
  const database = await createTestDatabase();
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
    await waitUntil(async () => (await listWriters(database)).length > 2);
    const second = startWriter(database, 'second', pauseMs);
    await sleep(500);
    assert.ok(!(await listWriters(database)).includes('second'), 'one writes at a time');

    const stoppedMs = performance.now();
    first.kill('SIGSTOP');
    await waitUntil(async () => (await listWriters(database)).includes('second'));
    assert.ok(performance.now() - stoppedMs < TAKEOVER_WITHIN_MS);

    first.kill('SIGCONT');
    // Its transaction was refused, or its heartbeat detected the loss and it starts none.
    await waitUntil(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where application_name = 'crypto-market leader' and datname = current_database()
          and state_change > now() - interval '3 s'
      `.execute(database.db);
      return rows.length === 2;
    });
    const count = (await listWriters(database)).length;
    await waitUntil(async () => (await listWriters(database)).length > count + 3);
    const writers = await listWriters(database);
    assert.ok(!writers.slice(writers.indexOf('second')).includes('first'), writers.join(' '));

    second.kill('SIGKILL');
    await waitUntil(async () => (await listWriters(database)).at(-1) === 'first');
    first.kill('SIGKILL');
  });
}

/** Of the processes of a shop, those that run Node: not its database. */
function listNodePids(shop: TestShop): number[] {
  const { port } = new URL(shop.url);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
        const isOurs = environment.includes(`DATA_DIR=${shop.dataDir}`) && environment.includes(`PORT=${port}`);
        return isOurs && basename(readlinkSync(`/proc/${pid}/exe`)) === 'node';
      } catch {
        return false;
      }
    })
    .map(Number);
}

test(
  '[OPS-23] a second shop confirms payments while the first one is stopped',
  {
    skip: process.platform !== 'linux' && 'needs /proc',
  },
  async () => {
    const shop = await startTestShop();
    const second = await startSecondProcess(shop);
    const productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
    const token = await createStockBuyer(shop, 'patient', productId);
    const { body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
    const id = textAt(body, 'order', 'id');
    const callSecond = async (method: string, path: string, sent?: object): Promise<unknown> => {
      const json = sent && { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } };
      const headers = { ...json?.headers, authorization: `Bearer ${token}` };
      return (await fetch(`${second.url}/api${path}`, { method, ...json, headers })).json();
    };
    const readState = async (): Promise<string> =>
      textAt(await callSecond('GET', `/orders/${id}`), 'order', 'payment', 'state');

    const stopped = listNodePids(shop);
    assert.ok(stopped.length > 0);
    const sendSignal = (name: NodeJS.Signals): void => {
      for (const pid of stopped) process.kill(pid, name);
    };
    sendSignal('SIGSTOP');
    const stoppedMs = performance.now();
    try {
      await callSecond('POST', '/dev/pay', { order_id: id });
      await waitUntil(async () => (await readState()) === 'seen');
      assert.ok(performance.now() - stoppedMs < TAKEOVER_WITHIN_MS, `${performance.now() - stoppedMs} ms`);
    } finally {
      sendSignal('SIGCONT');
    }
    await waitUntil(() => shop.readOutput().includes('another process is the leader now'));
    await callSecond('POST', '/dev/mine', { blocks: 3 });
    await waitUntil(async () => (await readState()) === 'paid');
    await second.stop();
    await shop.stop();
  },
);
