/** The shop's operation: start, refused start, stop, and its output. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import './support/built-pages.ts';
import { readDatabasePid, killDatabase } from './support/kill-database.ts';
import { isRunning, startUntilEnd } from './support/operator.ts';
import type { ProcessResult } from './support/operator.ts';
import { textAt, valueAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: SpawnedShop;
before(async () => {
  shop = await startSpawnedShop({ settings: { LOG_LEVEL: 'debug' } });
});
after(() => shop.stop());

function assertRefused({ code, output }: ProcessResult): void {
  assert.equal(code, 1, output);
  assert.doesNotMatch(output, /\n\s+at |Error:|node:internal/, 'the message has no stack trace');
}

test('[OPS-20] /healthz and /readyz report liveness and the state of every part', async () => {
  const alive = await fetch(`${shop.url}/healthz`);
  assert.deepEqual([alive.status, await alive.json()], [200, { status: 'ok' }]);
  // On a busy machine the first pass of chain sync continues after the start.
  await waitUntil(async () => textAt(await (await fetch(`${shop.url}/readyz`)).json(), 'chain') === 'up');
  const ready = await fetch(`${shop.url}/readyz`);
  const readiness: unknown = await ready.json();
  assert.equal(ready.status, 200);
  const disk = textAt(readiness, 'disk');
  assert.ok(['ok', 'low'].includes(disk), disk);
  const parts = { database: 'ready', disk, chain: 'up', rate: 'current', network: 'regtest' };
  const informing = { mail: 'sending', queue: 'running', backup: 'current', backup_age_s: null };
  assert.deepEqual(readiness, { status: 'ready', ...parts, ...informing });
  for (const { headers } of [alive, ready]) assert.equal(headers.get('cache-control'), 'no-store');
});

test('recreates a removed socket directory', async () => {
  const socketDir = (await shop.getConnection()).host;
  const server = readDatabasePid(shop.dataDir);
  rmSync(socketDir, { recursive: true });
  await waitUntil(() => existsSync(join(socketDir, '.s.PGSQL.5432')));
  await waitUntil(async () => {
    const ready = await fetch(`${shop.url}/readyz`);
    await ready.arrayBuffer();
    return ready.status === 200;
  });
  assert.notEqual(readDatabasePid(shop.dataDir), server, 'only a new server has a new socket');
  // More concurrent calls than open connections.
  const calls = Array.from({ length: 40 }, () => shop.api('POST', '/contact', { body: {} }));
  for (const { status } of await Promise.all(calls)) assert.ok(status < 500, String(status));
});

test('refuses a second start on the same data in one line', async () => {
  const second = await startUntilEnd({ DATA_DIR: shop.dataDir });
  assertRefused(second);
  assert.match(
    second.output,
    /^Another shop already runs on the data in .+: stop it first, or set DATA_DIR\. Several processes on one database: see "Growing beyond one process" .+\n$/m,
  );
  assert.equal(second.output.trim().split('\n').length, 1, second.output);
  assert.equal((await fetch(`${shop.url}/readyz`)).status, 200);
});

test('lists all wrong settings in one message without keys', async () => {
  const secret = `xprv${'9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'.slice(0, 107)}`;
  const wrong = {
    PORT: 'abc',
    PAYMENT_WINDOW_S: '1',
    RATE_SOURCE: 'cheap',
    RATE_SPREAD: '10',
    RATE_URLS: 'kraken=https://one.example',
    BITCOIN_XPUB: secret,
    WALLET_SCRIPT: 'p2pkh',
    CONFIRMATIONS: '500:0',
    RATE_LIMITS: 'sometimes',
    SMTP_URL: 'not a url',
    MAIL_FROM: 'nobody',
    TRUST_PROXY: '-1',
    LOG_LEVEL: 'loud',
  };
  const ended = await startUntilEnd(wrong);
  assertRefused(ended);
  for (const name of Object.keys(wrong)) assert.match(ended.output, new RegExp(`^  ${name}: .`, 'm'), name);
  assert.ok(!ended.output.includes(secret.slice(4, 30)), 'the output contains no part of the key');
  const seed = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
  const withSeed = await startUntilEnd({ BITCOIN_XPUB: seed });
  assertRefused(withSeed);
  assert.match(withSeed.output, /BITCOIN_XPUB: /);
  assert.doesNotMatch(withSeed.output, /abandon/);
});

test('live mode refuses to start without required settings', async () => {
  const dataDir = join(shop.dataDir, 'live');
  const ended = await startUntilEnd({ SHOP_MODE: 'live', RATE_LIMITS: 'off', DATA_DIR: dataDir });
  assertRefused(ended);
  for (const name of ['PUBLIC_URL', 'BITCOIN_XPUB', 'SMTP_URL', 'CHAIN_SOURCE', 'RATE_SOURCE', 'RATE_LIMITS']) {
    assert.match(ended.output, new RegExp(`^  ${name}: .`, 'm'), name);
  }
  assert.ok(!existsSync(dataDir));
});

test('[API-01] logs JSON lines without passwords, tokens, addresses or customer texts', async () => {
  const canary = { username: 'canaryname', email: 'canarymail@shop.example', password: 'canary-pass-word' };
  const billing = { ...BILLING, firstName: 'Canaryfirst', streetAddress: 'Canary Wharf 1', city: 'Canarytown' };
  const register = () => shop.api('POST', '/users/register', { body: canary });
  // Concurrent, so that the database itself refuses some.
  assert.ok((await Promise.all([register(), register(), register()])).some(({ status }) => status === 201));
  await shop.api('POST', '/users/login', { body: { ...canary, password: 'canary-wrong-word' } });
  const signedIn = await shop.api('POST', '/users/login', { body: canary });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  const product = textAt((await shop.api('GET', '/products?limit=1&q=iphone')).body, 0, 'id');
  const guest = await shop.api('POST', '/cart/add', { body: { product_id: product, quantity: 1 } });
  const cookie = guest.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? '';
  await shop.api('GET', '/cart', { cookie: `guest_user_id=${cookie}` });
  await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
  await shop.api('GET', '/products?q=canarysearch');
  await shop.api('POST', '/cart/checkout', { token, body: { ...billing, country: 'JP' } });
  const headers = { 'idempotency-key': 'canarykey' };
  const checkout = await shop.api('POST', '/cart/checkout', { token, body: billing, headers });
  const id = textAt(checkout.body, 'order', 'id');
  await shop.api('POST', '/dev/pay', { body: { order_id: id } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
  await shop.api('POST', '/dev/reorg', { body: { depth: 3 } });
  await fetch(`${shop.url}/cart`, { headers: { cookie: `guest_user_id=${cookie}` } });
  // The log of a database that disappears during a statement.
  const broken = Array.from({ length: 12 }, (_, at) => {
    const other = { ...canary, username: `canaryname${at}`, email: `canarymail${at}@shop.example` };
    const calls = [
      shop.api('POST', '/users/register', { body: other }),
      shop.api('POST', '/cart/checkout', { token, body: billing, headers: { 'idempotency-key': `canarykey${at}` } }),
      shop.api('GET', `/orders/${id}`, { token }),
    ];
    return calls.map((call) => call.catch(() => null));
  });
  killDatabase(shop.dataDir);
  const responses = await Promise.all(broken.flat());
  assert.ok(
    responses.some((response) => (response?.status ?? 0) >= 500),
    `no request failed while the database was down: ${responses.map((one) => one?.status).join()}, then ${shop.readOutput().slice(-2000)}`,
  );
  // Output may arrive after the response.
  await waitUntil(() => shop.readOutput().includes('"route":"/api/cart/checkout"'));

  const written = shop.readOutput() + readFileSync(join(shop.dataDir, 'postgres.log'), 'utf8');
  const address = textAt(checkout.body, 'order', 'payment', 'address');
  for (const secret of ['canary', token, cookie, address, 'crypto-market@', BILLING.lastName, BILLING.postcode]) {
    const at = written.toLowerCase().indexOf(secret.toLowerCase());
    assert.ok(at < 0, `the log contains ${secret}: ${written.slice(Math.max(0, at - 400), at + 100)}`);
  }
  const logged = shop
    .readOutput()
    .split('\n')
    // The last line may be incomplete.
    .slice(0, -1)
    .filter((line) => line.startsWith('{'));
  assert.ok(logged.length > 20);
  for (const line of logged) {
    const entry: unknown = JSON.parse(line);
    assert.match(textAt(entry, 'time'), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.ok(textAt(entry, 'level') !== '' && textAt(entry, 'message') !== '');
    if (JSON.stringify(entry).includes('"route"')) assert.ok(!String(valueAt(entry, 'route')).includes(id));
  }
});

test('SIGTERM exits with 0, stops the database and loses nothing', async () => {
  await waitUntil(async () => {
    const ready = await fetch(`${shop.url}/readyz`);
    await ready.arrayBuffer();
    return ready.status === 200;
  });
  const server = readDatabasePid(shop.dataDir);
  assert.ok(server !== null && isRunning(server));
  // It throws unless the shop ends with 0.
  await shop.restart();
  assert.ok(!isRunning(server));
  assert.notEqual(readDatabasePid(shop.dataDir), server);
  const { status } = await shop.api('POST', '/users/login', {
    body: { username: 'canaryname', password: 'canary-pass-word' },
  });
  assert.equal(status, 200);
});

test('refuses a schema newer than the code and leaves it unchanged', async () => {
  const client = new Client({ ...(await shop.getConnection()) });
  await client.connect();
  const newer = `insert into schema_migrations (number, name, sha256) select max(number) + 1, 'from_the_future', 'x' from schema_migrations`;
  await client.query(newer);
  await client.end();
  // Killed, since `restart` requires success.
  await shop.kill9();
  const ended = await startUntilEnd({ DATA_DIR: shop.dataDir });
  assertRefused(ended);
  assert.match(ended.output, /newer/);
  assert.equal(readDatabasePid(shop.dataDir), null, 'the database was stopped again');
});
