/** An update of two processes, one after the other, while visitors use the shop. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
  });
}
