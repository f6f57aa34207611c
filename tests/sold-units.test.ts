/** Units sold, counted by one process and shown by every other one. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { numberAt, textAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const PRODUCT = '/products/airpods-4';

let shop: TestShop;
let second: ShopProcess;
before(async () => {
  shop = await startTestShop();
  second = await startSecondProcess(shop);
});
after(async () => {
  await second.stop();
  await shop.stop();
});

test('[API-12] [CAT-06] every process shows the units sold by another', async () => {
  const readSold = async (url: string): Promise<number> => {
    const body: unknown = await (await fetch(`${url}/api${PRODUCT}`)).json();
    return numberAt(body, 'sold_units');
  };
  const initial = await readSold(shop.url);
  assert.equal(await readSold(second.url), initial);
  const id = textAt((await shop.api('GET', PRODUCT)).body, 'id');
  const token = await createStockBuyer(shop, 'fan', id);
  const { status, body } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(status, 201);
  assert.equal((await shop.api('POST', '/dev/pay', { body: { order_id: textAt(body, 'order', 'id') } })).status, 200);
  assert.equal((await shop.api('POST', '/dev/mine', { body: { blocks: 6 } })).status, 200);
  for (const url of [shop.url, second.url]) await waitUntil(async () => (await readSold(url)) === initial + 1);
});
