/** `npm run db -- move`: from the embedded database to an external one, and what an interruption leaves. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import './support/built-pages.ts';
import { createEmptyDatabase, createTestDatabase } from './support/database.ts';
import { DatabaseProxy, toDatabaseUrl } from './support/database-proxy.ts';
import { makePicture } from './support/hostile-pictures.ts';
import { createOrder, findFirstProduct } from './support/new-order.ts';
import { assertRefused, startUntilEnd } from './support/operator.ts';
import type { ProcessResult } from './support/operator.ts';
import { textAt } from './support/read-json.ts';
import { endOrphanedDatabase, startShopProcess } from './support/shop-process.ts';
import { createApiClient } from './support/api-client.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { fillFromTemplate, makeTemporaryDirectory } from './support/template.ts';
import { uploadPicture } from './support/upload-picture.ts';
import { waitUntil } from './support/wait-until.ts';

/** Nothing listens there: mails stay in the queue. */
const NO_MAIL_SERVER = { SMTP_URL: 'smtp://127.0.0.1:1' };
const dataDir = makeTemporaryDirectory();
before(() => fillFromTemplate(dataDir));
after(() => {
  endOrphanedDatabase(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
});

function startMove(directory: string, to: string, DATABASE_URL = '') {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'db', 'move', to], {
    env: { PATH: process.env['PATH'], DATA_DIR: directory, DATABASE_URL },
    timeout: 120_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<ProcessResult>((resolve) => child.once('close', (code) => resolve({ code, output })));
  return { child, ended };
}
const move = (to: string): Promise<ProcessResult> => startMove(dataDir, to).ended;
const startWith = (DATABASE_URL = ''): Promise<ProcessResult> => startUntilEnd({ DATA_DIR: dataDir, DATABASE_URL });

async function readNextIndex(db: Db): Promise<number> {
  const { rows } = await sql<{ next: number }>`select next_index as next from wallets`.execute(db);
  return rows[0]?.next ?? assert.fail('no wallet');
}
const listOpenJobs = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id::text as id from pgboss.job where state < 'completed' order by 1`.execute(db);
  return rows.map(({ id }) => id);
};

test('[OPS-23] refuses targets that are used, old, new, foreign or absent, and a running shop', async (context) => {
  const [used, foreign, empty] = [
    await createTestDatabase(),
    await createEmptyDatabase(false),
    await createEmptyDatabase(),
  ];
  const old = await DatabaseProxy.open(empty.connection, { version: '140019' });
  const later = await DatabaseProxy.open(empty.connection, { version: '190001' });
  context.after(() => Promise.all([old.close(), later.close()]));
  const absent = toDatabaseUrl({ ...empty.connection, database: 'nowhere' });
  const cases: readonly (readonly [string, RegExp])[] = [
    [toDatabaseUrl(used.connection), /^That database is not empty\./],
    [toDatabaseUrl(foreign.connection), /^The user of this URL does not own the database\./],
    [old.url, /^DATABASE_URL: this is PostgreSQL 14\.19; the shop needs 15 or newer/],
    [later.url, /^This is PostgreSQL 19\.1; this release was tested with 15 to 18\./],
    [absent, /^DATABASE_URL: the database refused the connection/],
    ['somewhere', /^This is no URL of a PostgreSQL database/],
  ];
  for (const [url, words] of cases) assertRefused(await move(url), words);
  assertRefused(await move('--undo'), /^The embedded database was not moved\./);
  const shop = await startShopProcess(dataDir);
  assertRefused(await move(toDatabaseUrl(empty.connection)), /^Another shop already runs on the data/);
  await shop.stop();
});

test('[OPS-23] a killed move leaves the embedded database usable and can be repeated', async (context) => {
  const target = await createEmptyDatabase();
  const url = toDatabaseUrl(target.connection);
  const proxy = await DatabaseProxy.open(target.connection, { stallAfterBytes: 600_000 });
  context.after(() => proxy.close());
  const moving = startMove(dataDir, proxy.url);
  await waitUntil(() => proxy.isStalled);
  moving.child.kill('SIGKILL');
  await moving.ended;
  proxy.resume();
  assertRefused(await startWith(url), /^DATABASE_URL: a move into this database did not finish\..* again/);
  const shop = await startShopProcess(dataDir);
  assert.equal((await createApiClient(shop.url)('GET', '/products?limit=1')).status, 200);
  await shop.stop();
  const second = await move(url);
  assert.equal(second.code, 0, second.output);
  assert.match(second.output, /^An earlier move into this database did not finish\. It is emptied first\.$/m);
  // Interrupted between the two marks.
  const id = textAt(JSON.parse(readFileSync(join(dataDir, 'postgres.moved'), 'utf8')), 'id');
  await sql`create schema crypto_market_move`.execute(target.db);
  await sql`comment on schema crypto_market_move is ${sql.lit(id)}`.execute(target.db);
  assertRefused(await startWith(url), /did not finish/);
  assertRefused(await startWith(), /^The data in .+ was moved to postgres:\/\/localhost:\d+\/test_\d+_\d+ on 2/);
  assertRefused(
    await move(toDatabaseUrl((await createEmptyDatabase()).connection)),
    /^The data was moved to .+ already\./,
  );
  const finished = await move(url);
  assert.equal(finished.code, 0, finished.output);
  const undone = await move('--undo');
  assert.equal(undone.code, 0, undone.output);
});

test('[OPS-23] a shop moves with orders, sessions, mails and an open payment, and back', async () => {
  const target = await createEmptyDatabase();
  const url = toDatabaseUrl(target.connection);
  const shop: SpawnedShop = await startSpawnedShop({ settings: NO_MAIL_SERVER });
  try {
    const [paid, open] = [await createOrder(shop, 'paid'), await createOrder(shop, 'open')];
    await shop.api('POST', '/dev/pay', { body: { order_id: paid.id } });
    await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
    await shop.api('POST', '/dev/pay', { body: { order_id: open.id } });
    const readState = async (at: Pick<SpawnedShop, 'api'>, { id, token }: typeof open): Promise<string> =>
      textAt((await at.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment', 'state');
    await waitUntil(async () => (await readState(shop, open)) === 'seen');
    const staff = await shop.api('POST', '/users/login', { body: { username: 'staff', password: 'crypto-market' } });
    const photo = await makePicture('jpeg', { width: 400, height: 300 });
    const uploaded = await uploadPicture(shop, textAt(staff.body, 'tokens', 'accessToken'), photo);
    const picture = textAt(uploaded.body, 'path');
    const product = await findFirstProduct(shop);
    // The database goes on without the shop, which would change its jobs.
    await shop.kill9();
    const [nextIndex, jobs] = await runWithShopDatabase(shop, async (db) => [
      await readNextIndex(db),
      await listOpenJobs(db),
    ]);
    assert.ok(jobs.length > 0);
    endOrphanedDatabase(shop.dataDir);

    const moved = await startMove(shop.dataDir, url).ended;
    assert.equal(moved.code, 0, moved.output);
    assert.match(
      moved.output,
      /^Copied \d+ rows and \d+ jobs\. Counts, checksums and sequences of all tables are equal\.$/m,
    );
    assert.equal(moved.output.trimEnd().split('\n').at(-1), `DATABASE_URL='${url}'`);
    assert.deepEqual(await listOpenJobs(target.db), jobs);
    assert.equal(await readNextIndex(target.db), nextIndex);
    const refused = await startUntilEnd({ DATA_DIR: shop.dataDir, DATABASE_URL: '' });
    assertRefused(refused, /^The data in .+ was moved to .+: set DATABASE_URL\./);

    const started = await startShopProcess(shop.dataDir, { ...NO_MAIL_SERVER, DATABASE_URL: url });
    const api = createApiClient(started.url);
    assert.equal(await readState({ api }, paid), 'paid');
    await api('POST', '/dev/mine', { body: { blocks: 6 } });
    await waitUntil(async () => (await readState({ api }, open)) === 'paid');
    assert.equal((await fetch(`${started.url}/api${picture}`)).status, 200);
    await api('POST', '/cart/add', { token: open.token, body: { product_id: product, quantity: 1 } });
    const placed = await api('POST', '/cart/checkout', { token: open.token, body: BILLING });
    assert.equal(placed.status, 201, JSON.stringify(placed.body));
    const { rows } = await sql<{ index: number; address: string }>`
      select derivation_index as index, address from order_addresses order by derivation_index`.execute(target.db);
    const last = rows.at(-1) ?? assert.fail('no address');
    assert.equal(last.address, textAt(placed.body, 'order', 'payment', 'address'));
    assert.ok(last.index >= nextIndex, `${last.index} from ${nextIndex} on`);
    assert.equal(new Set(rows.map(({ address }) => address)).size, rows.length);
    assertRefused(await startMove(shop.dataDir, '--undo', url).ended, /^A shop uses this database\. Stop it first\.$/);
    await started.stop();

    const undone = await startMove(shop.dataDir, '--undo').ended;
    assert.equal(undone.code, 0, undone.output);
    assert.ok(!existsSync(join(shop.dataDir, 'postgres.moved')));
    await shop.restart();
    assert.equal(await runWithShopDatabase(shop, readNextIndex), nextIndex + 10_000);
    assert.equal(await readState(shop, open), 'seen');
  } finally {
    await shop.stop();
  }
});
