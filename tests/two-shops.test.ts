/** Two shops in one process share nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shops: readonly [TestShop, TestShop];
before(async () => {
  shops = [await startTestShop(), await startTestShop({ settings: { RATE_SOURCE: 'fixed:55500' } })];
});
after(() => Promise.all(shops.map((shop) => shop.stop())));

const readPrice = async (shop: TestShop): Promise<number> =>
  numberAt((await shop.api('GET', '/products?limit=1')).body, 0, 'base_price_in_btc');

test('[OPS-23] each shop accepts forms from its own origin only', async () => {
  for (const [own, other] of [shops, shops.toReversed()]) {
    assert.ok(own && other);
    const product_id = textAt((await own.api('GET', '/products?limit=1')).body, 0, 'id');
    const send = async (origin: string): Promise<number> => {
      const body = new URLSearchParams({ intent: 'add', product_id, quantity: '1' });
      const response = await fetch(`${own.url}/cart`, {
        method: 'POST',
        body,
        headers: { origin },
        redirect: 'manual',
      });
      await response.arrayBuffer();
      return response.status;
    };
    assert.deepEqual([await send(own.url), await send(other.url)], [303, 403]);
  }
});

test('[OPS-23] each shop has its own prices, clock and accounts', async () => {
  const [first, second] = shops;
  const [low, high] = [await readPrice(first), await readPrice(second)];
  assert.ok(high > low * 1.9 && high < low * 2.1, `${low} ${high}`);
  assert.notDeepEqual(
    textAt((await first.api('POST', '/dev/clock', { body: { offset_s: 86_400 } })).body, 'now').slice(0, 10),
    textAt((await second.api('POST', '/dev/clock', { body: { offset_s: 0 } })).body, 'now').slice(0, 10),
  );
  const body = { username: 'only-here', email: 'only-here@example.com', password: 'a long enough password' };
  assert.equal((await first.api('POST', '/users/register', { body })).status, 201);
  assert.notEqual((await second.api('POST', '/users/login', { body })).status, 200);
});
