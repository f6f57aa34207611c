/** Behaviour on a full disk. Needs root, to mount a small disk. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { readDatabasePid } from './support/kill-database.ts';
import { assertRefused, listProcesses, startUntilEnd } from './support/operator.ts';
import { textAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { ApiRequest } from './support/api-client.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { BILLING } from './support/stress-buyer.ts';
import { fillFromTemplate, makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

const MIB = 1024 * 1024;

/** Mounts a disk of this size in MB in memory; null where that is not allowed. */
function mountDisk(megabytes: number): string | null {
  const directory = makeTemporaryDirectory();
  try {
    const options = `size=${megabytes}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    rmSync(directory, { recursive: true });
    return null;
  }
}

const disk = mountDisk(420);
const skip = disk === null ? 'needs root that may mount' : false;
const ballast = join(disk ?? '', 'ballast');

const measureFreeMegabytes = (): number => {
  const { bavail, bsize } = statfsSync(disk ?? '');
  return (bavail * bsize) / MIB;
};

/** Fills or frees the disk with an unused file. */
function leave(megabytes: number): void {
  if (!existsSync(ballast)) closeSync(openSync(ballast, 'w'));
  truncateSync(ballast, 0);
  const file = openSync(ballast, 'w');
  try {
    for (let left = measureFreeMegabytes() - megabytes; left > 0; left -= 1) {
      writeSync(file, Buffer.alloc(Math.ceil(Math.min(left, 1) * MIB)));
    }
  } catch (error) {
    // The disk has no free byte.
    if (megabytes > 0) throw error;
  } finally {
    closeSync(file);
  }
}

let shop: SpawnedShop;
let token = '';
let product = '';
before(async () => {
  if (disk === null) return;
  shop = await startSpawnedShop({
    settings: { DATA_DIR: join(disk, 'data') },
    prepare: async () => {
      execFileSync('mkdir', [join(disk, 'data')]);
      chmodSync(join(disk, 'data'), 0o755);
      await fillFromTemplate(join(disk, 'data'));
    },
  });
  token = await register('alva');
  product = textAt((await shop.api('GET', '/products?limit=1&q=iphone')).body, 0, 'id');
});
after(async () => {
  if (disk === null) return;
  await shop.stop();
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

async function register(username: string): Promise<string> {
  const credentials = { username, password: 'correct horse battery' };
  const body = { ...credentials, email: `${username}@example.com` };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  return textAt((await shop.api('POST', '/users/login', { body: credentials })).body, 'tokens', 'accessToken');
}

const readReadiness = async (): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(`${shop.url}/readyz`);
  return { status: response.status, body: await response.json() };
};
const waitForDisk = (level: string): Promise<void> =>
  waitUntil(async () => textAt((await readReadiness()).body, 'disk') === level);

async function assertUnavailable(path: string, request: ApiRequest): Promise<void> {
  const response = await shop.api('POST', path, request);
  assert.equal(response.status, 503, JSON.stringify(response.body));
  assert.ok(Number(response.headers.get('retry-after')) > 0);
  assert.equal(textAt(response.body, 'error', 'code'), 'unavailable');
}

async function order(): Promise<string> {
  await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
  const checkout = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(checkout.status, 201, JSON.stringify(checkout.body));
  return textAt(checkout.body, 'order', 'id');
}
const readPaymentStatus = async (id: string): Promise<string> =>
  textAt((await shop.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment_status');

test('a nearly full disk takes payments and refuses new orders', { skip }, async () => {
  const id = await order();
  leave(150);
  await waitForDisk('full');
  const { status, body } = await readReadiness();
  assert.deepEqual([status, textAt(body, 'status'), textAt(body, 'database')], [503, 'not-ready', 'ready']);
  await assertUnavailable('/cart/add', { token, body: { product_id: product, quantity: 1 } });
  await assertUnavailable('/cart/checkout', { token, body: BILLING });
  await assertUnavailable('/users/register', {
    body: { username: 'late', email: 'late@example.com', password: 'correct horse battery' },
  });
  assert.equal((await fetch(`${shop.url}/`)).status, 200, 'public pages still work');
  assert.equal((await shop.api('POST', '/dev/pay', { body: { order_id: id } })).status, 200);
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  assert.equal(await readPaymentStatus(id), 'paid');
  leave(400);
  await waitUntil(async () => (await readReadiness()).status === 200);
  assert.equal(
    (await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } })).status,
    200,
  );
});

test('an exhausted disk stops the database until space is free', { skip }, async () => {
  const id = await order();
  const guest = await shop.api('POST', '/cart/add', { body: { product_id: product, quantity: 1 } });
  const guestCookie = guest.headers.getSetCookie()[0]?.split(';')[0] ?? assert.fail('no cookie');
  const server = readDatabasePid(join(disk ?? '', 'data'));
  // The colours of its cards are read from the database once.
  assert.equal((await fetch(`${shop.url}/`)).status, 200);
  leave(30);
  await waitUntil(async () => textAt((await readReadiness()).body, 'database') === 'disk-full');
  await waitUntil(() => readDatabasePid(join(disk ?? '', 'data')) === null);
  assert.equal((await readReadiness()).status, 503);
  await assertUnavailable('/users/login', { body: { username: 'alva', password: 'correct horse battery' } });
  // A page that reads the database; public pages are served from memory.
  const page = await fetch(`${shop.url}/cart`, { headers: { cookie: guestCookie } });
  assert.deepEqual([page.status, Number(page.headers.get('retry-after')) > 0], [503, true]);
  assert.match(await page.text(), /<html/);
  assert.equal((await fetch(`${shop.url}/`)).status, 200);
  assert.doesNotMatch(shop.readOutput(), /PANIC|by force/);
  leave(400);
  await waitUntil(async () => (await readReadiness()).status === 200);
  assert.notEqual(readDatabasePid(join(disk ?? '', 'data')), server);
  assert.equal(await readPaymentStatus(id), 'pending');
});

const createCredentials = (at: number) => ({ username: `alva${at}`, password: 'correct horse battery' });

test('a suddenly full disk causes no 500 and no loss', { skip }, async () => {
  leave(0);
  const isRegistered: boolean[] = [];
  for (let at = 0; at < 20; at += 1) {
    const body = { ...createCredentials(at), email: `alva${at}@example.com` };
    const { status, headers } = await shop.api('POST', '/users/register', { body });
    assert.ok(status === 201 || (status === 503 && Number(headers.get('retry-after')) > 0), String(status));
    isRegistered.push(status === 201);
  }
  leave(400);
  await waitUntil(async () => (await readReadiness()).status === 200);
  for (const [at, isThere] of isRegistered.entries()) {
    const { status } = await shop.api('POST', '/users/login', { body: createCredentials(at) });
    assert.equal(status, isThere ? 200 : 401);
  }
});

test('refuses to start on a full disk in one line', { skip }, async () => {
  await shop.kill9();
  process.kill(readDatabasePid(join(disk ?? '', 'data')) ?? assert.fail(), 'SIGINT');
  await waitUntil(() => readDatabasePid(join(disk ?? '', 'data')) === null);
  leave(20);
  const refused = await startUntilEnd({ DATA_DIR: join(disk ?? '', 'data') });
  assertRefused(refused, /^The disk of .+ is full \(\d+ MB left\): free some space and start again\.$/);
  assert.equal(refused.output.trim().split('\n').length, 1, refused.output);
  const fresh = await startUntilEnd({ DATA_DIR: join(disk ?? '', 'new') });
  assertRefused(fresh, /^The disk of .+ is full .+ A new database needs \d+ MB\.$/);
  assert.deepEqual(await listProcesses(disk ?? ''), []);
  leave(400);
  await shop.restart();
  assert.equal((await readReadiness()).status, 200);
});
