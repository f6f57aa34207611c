import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOrderShop } from '../../../tests/support/order-shop.ts';
import { findUsesInOrders } from './ordered-pictures.service.ts';

test('[OPS-02] a picture in orders is in use', async () => {
  const shop = await openOrderShop();
  assert.equal((await findUsesInOrders(shop.db, ['/i.avif'])).size, 0);
  await shop.placeOrder(await shop.createBuyer(1));
  const uses = await findUsesInOrders(shop.db, ['/i.avif', '/other.avif']);
  assert.deepEqual([...uses], [['/i.avif', [{ kind: 'orders', name: 'Past orders', url: null }]]]);
});
