import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Refusal } from '#src/platform/http/call.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { describeAvailable } from './describe-stock.ts';
import { LowStock } from './service.ts';
import { staffActor } from '../../../../tests/support/staff-actor.ts';

let shop: OrderShop;
let lowStock: LowStock;
let mailedDays: string[];
beforeEach(async () => {
  shop = await openOrderShop();
  mailedDays = [];
  lowStock = new LowStock({
    db: shop.db,
    clock: { now: () => shop.now },
    onReported: async (tx, day) => {
      assert.ok(tx.isTransaction);
      mailedDays.push(day);
    },
  });
});

/** Runs the report of the next day, and returns what it mails. */
async function reportNextDay(): Promise<readonly (readonly [string, number])[]> {
  shop.advanceMinutes(24 * 60);
  const before = mailedDays.length;
  await lowStock.report();
  const day = mailedDays.slice(before).at(0);
  if (day === undefined) return [];
  const { variants } = await lowStock.listReported(day, 50);
  return variants.map(({ variantId, available }) => [variantId === shop.productId ? 'phone' : 'cable', available]);
}

test('[OPS-10] reports each fall to the threshold and each sell-out once', async () => {
  await shop.setStock(4);
  await shop.setStock(9, shop.otherProductId);
  assert.deepEqual(await reportNextDay(), []);
  await shop.setStock(3);
  assert.deepEqual(await reportNextDay(), [['phone', 3]]);
  await shop.setStock(1);
  assert.deepEqual(await reportNextDay(), [], 'still low');
  await shop.setStock(0);
  await shop.setStock(2, shop.otherProductId);
  assert.deepEqual(await reportNextDay(), [
    ['phone', 0],
    ['cable', 2],
  ]);
  await shop.setStock(-2);
  assert.deepEqual(await reportNextDay(), [], 'still sold out');
  await shop.setStock(9);
  assert.deepEqual(await reportNextDay(), []);
  await shop.setStock(2);
  assert.deepEqual(await reportNextDay(), [['phone', 2]], 'fell again');
});

test('[OPS-10] reports at most once a day', async () => {
  await shop.setStock(3);
  assert.equal((await reportNextDay()).length, 1);
  await shop.setStock(1, shop.otherProductId);
  await Promise.all([lowStock.report(), lowStock.report()]);
  assert.equal(mailedDays.length, 1);
  assert.deepEqual(await reportNextDay(), [['cable', 1]]);
});

test('[OPS-10] a variant can have its own threshold', async () => {
  await shop.setStock(8);
  await shop.setStock(3, shop.otherProductId);
  assert.equal(await lowStock.setThreshold(shop.productId, 10, staffActor), null);
  assert.equal(await lowStock.setThreshold(shop.otherProductId, 0, staffActor), null);
  assert.deepEqual(await reportNextDay(), [['phone', 8]]);
  const unknown = await lowStock.setThreshold('019a0000-0000-7000-8000-000000000000', 1, staffActor);
  assert.equal(unknown?.code, 'not-found');
});

test('[OPS-10] with mails off nothing is mailed, then or later', async () => {
  const { version } = await lowStock.readSettings();
  const changed = await lowStock.changeSettings({ threshold: 5, isMailed: false, version }, staffActor);
  assert.deepEqual(changed, { threshold: 5, isMailed: false, version: version + 1 });
  const outdated = await lowStock.changeSettings({ threshold: 1, isMailed: true, version }, staffActor);
  assert.ok(outdated instanceof Refusal && outdated.code === 'changed-meanwhile');
  await shop.setStock(5);
  assert.deepEqual(await reportNextDay(), []);
  await lowStock.changeSettings({ threshold: 5, isMailed: true, version: version + 1 }, staffActor);
  assert.deepEqual(await reportNextDay(), []);
  await shop.setStock(0);
  assert.deepEqual(await reportNextDay(), [['phone', 0]]);
});

test('[OPS-10] describes what is left for staff', () => {
  assert.deepEqual([3, 0, -2].map(describeAvailable), ['3 left', 'Sold out', '2 short']);
});
