/**
 * A process that hangs or is cut off loses the leader lock and cannot write afterwards. Real processes,
 * stopped with SIGSTOP, or behind a proxy that stops forwarding without closing a connection.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import './support/built-pages.ts';
import { createTestDatabase } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { DatabaseProxy, toDatabaseUrl } from './support/database-proxy.ts';
import { textAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startShopProcess } from './support/shop-process.ts';
import { createApiClient } from './support/api-client.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

const TAKEOVER_WITHIN_MS = 15_000;
const kills: (() => void)[] = [];
after(() => {
  for (const kill of kills) kill();
});

function startWriter({ connection }: Pick<TestDatabase, 'connection'>, name: string, pauseMs: number) {
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
  test(`[OPS-23] replaces a leader stopped ${where} and refuses its later writes`, async (context) => {
    const database = await openWrites();
    const first = startWriter(database, 'first', pauseMs);
    await waitUntil(async () => (await listWriters(database)).length > 2);
    const second = startWriter(database, 'second', pauseMs);
    await sleep(500);
    assert.ok(!(await listWriters(database)).includes('second'), 'one writes at a time');

    const stoppedMs = performance.now();
    first.kill('SIGSTOP');
    await waitUntil(async () => (await listWriters(database)).includes('second'));
    const replacedMs = performance.now() - stoppedMs;
    context.diagnostic(`replaced after ${Math.round(replacedMs)} ms`);
    assert.ok(replacedMs < TAKEOVER_WITHIN_MS, `${replacedMs} ms`);

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

test('[OPS-23] replaces a leader behind a half-open connection and refuses its later writes', async (context) => {
  const database = await openWrites();
  const proxy = await DatabaseProxy.open(database.connection);
  context.after(() => proxy.close());
  const first = startWriter(proxy, 'first', 400);
  await waitUntil(async () => (await listWriters(database)).length > 2);
  const second = startWriter(database, 'second', 20);

  proxy.stall();
  const stalledMs = performance.now();
  await waitUntil(async () => (await listWriters(database)).includes('second'));
  const replacedMs = performance.now() - stalledMs;
  context.diagnostic(`replaced after ${Math.round(replacedMs)} ms`);
  assert.ok(replacedMs < TAKEOVER_WITHIN_MS, `${replacedMs} ms`);

  // What the first had sent, such as a commit, arrives now.
  proxy.resume();
  await waitUntil(() => /lost|failed/.test(first.readPrinted()));
  const count = (await listWriters(database)).length;
  await waitUntil(async () => (await listWriters(database)).length > count + 3);
  const writers = await listWriters(database);
  assert.ok(!writers.slice(writers.indexOf('second')).includes('first'), writers.join(' '));
  for (const writer of [first, second]) writer.kill('SIGKILL');
});

test('[OPS-23] a second shop confirms payments while the first one is cut off', async (context) => {
  const database = await createTestDatabase();
  const proxy = await DatabaseProxy.open(database.connection);
  const directories = [makeTemporaryDirectory(), makeTemporaryDirectory()] as const;
  const first = await startShopProcess(directories[0], { DATABASE_URL: proxy.url });
  const second = await startShopProcess(directories[1], { DATABASE_URL: toDatabaseUrl(database.connection) });
  context.after(async () => {
    await Promise.all([first.kill9(), second.kill9()]);
    await proxy.close();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });
  const at = { url: second.url, api: createApiClient(second.url) };
  const product = textAt((await at.api('GET', '/products?limit=1')).body, 0, 'id');
  const token = await createStockBuyer(at, 'patient', product);
  const { body } = await at.api('POST', '/cart/checkout', { token, body: BILLING });
  const id = textAt(body, 'order', 'id');

  proxy.stall();
  const stalledMs = performance.now();
  await at.api('POST', '/dev/pay', { body: { order_id: id } });
  await waitUntil(
    async () => textAt((await at.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment', 'state') === 'seen',
  );
  const replacedMs = performance.now() - stalledMs;
  context.diagnostic(`replaced after ${Math.round(replacedMs)} ms`);
  assert.ok(replacedMs < TAKEOVER_WITHIN_MS, `${replacedMs} ms`);
  assert.equal((await fetch(`${first.url}/readyz`)).status, 503, 'a load balancer leaves it out');

  proxy.resume();
  await waitUntil(async () => (await fetch(`${first.url}/readyz`)).status === 200);
  await waitUntil(() => first.readOutput().includes('another process is the leader now'));
  const { rows } = await sql<{ token: string }>`select token from leases`.execute(database.db);
  assert.equal(String(rows[0]?.token), '2', 'the second one stays the leader');
});

/** Of the processes of a shop, those that run Node: not its database. */
function listNodePids(shop: SpawnedShop): number[] {
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
    const shop = await startSpawnedShop();
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
