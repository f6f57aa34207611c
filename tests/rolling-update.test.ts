/** An update of two processes, one after the other, while visitors use the shop. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { waitUntil } from './support/wait-until.ts';
import { runRollingUpdate } from './support/rolling-update.ts';
import { startRollingShop } from './support/rolling-shop.ts';
import type { RollingShop } from './support/rolling-shop.ts';

let shop: RollingShop;
before(async () => {
  shop = await startRollingShop();
});
after(() => shop.stop());

for (const isMigrating of [true, false]) {
  const what = isMigrating ? ' with a migration' : '';
  test(`[OPS-22] a rolling update${what} under load loses no request`, async (t) => {
    const { requests, failures } = await runRollingUpdate(shop, { isMigrating });
    t.diagnostic(`${requests} requests`);
    assert.deepEqual(failures, []);
    assert.equal(shop.balancer.served.size, 2, 'both processes served');
  });
}

test('[OPS-22] serves requests while it drains, and reports that it is not ready', async () => {
  const [process] = shop.processes;
  const stopped = process.stop();
  await waitUntil(async () => (await fetch(`${process.url}/readyz`)).status === 503);
  const ready = await fetch(`${process.url}/readyz`);
  assert.deepEqual(await ready.json(), { status: 'draining' });
  for (const path of ['/', '/api/products', '/cart']) {
    const response = await fetch(process.url + path);
    await response.arrayBuffer();
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('connection'), 'close', path);
  }
  await stopped;
});
