import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { transact } from '#src/platform/database/database.ts';
import { openOrderShop } from '../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { Inventory } from './service.ts';

const inventory = new Inventory();
let shop: OrderShop;
beforeEach(async () => {
  shop = await openOrderShop();
});

/** An order that reserves nothing, since no stock is tracked when it is placed. */
const placeOrder = async (): Promise<string> => (await shop.placeOrder(await shop.createBuyer())).id;
const createLines = (quantity: number, variantId = shop.productId) => [{ variantId, quantity }];
const request = (orderId: string, quantity: number) => ({
  orderId,
  lines: [...createLines(quantity), ...createLines(quantity, shop.otherProductId)],
  network: null,
  isSecured: false,
  terms: Promise.resolve(null),
});

test('[API-06] reserves all lines of an order or none', async () => {
  const orderId = await placeOrder();
  await shop.setStock(5);
  await shop.setStock(2, shop.otherProductId);
  const short = [{ variantId: shop.otherProductId, available: 2 }];
  assert.deepEqual(await inventory.reserve(shop.db, request(orderId, 3)), { ok: false, reason: 'sold-out', short });
  assert.equal(await inventory.hasReservation(shop.db, orderId), false);
  assert.deepEqual(await inventory.reserve(shop.db, request(orderId, 2)), { ok: true, isScarce: false });
  assert.equal(await inventory.hasReservation(shop.db, orderId), true);
  assert.deepEqual(await shop.readStock(), { available: 3, held: 2 });
  assert.deepEqual(await shop.readStock(shop.otherProductId), { available: 0, held: 2 });
});

test('[API-06] concurrent orders never reserve more than is available', async () => {
  const orderIds = await Promise.all(Array.from({ length: 6 }, placeOrder));
  await shop.setStock(4);
  const shortages = await Promise.all(
    orderIds.map((id) =>
      transact(shop.db, (tx) => inventory.reserveUncapped(tx, id, [...createLines(1), ...createLines(1)])),
    ),
  );
  assert.equal(shortages.filter(({ length }) => length === 0).length, 2);
  assert.deepEqual(await shop.readStock(), { available: 0, held: 4 });
});

test('[PAY-10] releases a reservation once', async () => {
  const orderId = await placeOrder();
  await shop.setStock(5);
  assert.deepEqual(await inventory.reserveUncapped(shop.db, orderId, createLines(2)), []);
  await inventory.release(shop.db, [orderId]);
  await inventory.release(shop.db, [orderId]);
  assert.deepEqual(await shop.readStock(), { available: 5, held: 0 });
});

test('[PAY-10] commits a reservation, after which a release returns nothing', async () => {
  const orderId = await placeOrder();
  await shop.setStock(5);
  await inventory.reserveUncapped(shop.db, orderId, createLines(2));
  await inventory.commit(shop.db, [orderId]);
  await inventory.release(shop.db, [orderId]);
  assert.deepEqual(await shop.readStock(), { available: 3, held: 0 });
});

test('[PAY-13] restocks tracked variants only', async () => {
  await shop.setStock(0);
  await inventory.restock(shop.db, [...createLines(2), ...createLines(1), ...createLines(4, shop.otherProductId)]);
  assert.deepEqual(await shop.readStock(), { available: 3, held: 0 });
  const available = await inventory.countAvailable(shop.db, [shop.productId, shop.otherProductId]);
  assert.deepEqual([...available], [[shop.productId, 3]]);
});

test('lists limited stock with its reservations', async () => {
  const orderId = await placeOrder();
  assert.deepEqual(await inventory.list(shop.db), []);
  await shop.setStock(5);
  await inventory.reserveUncapped(shop.db, orderId, createLines(2));
  assert.deepEqual(await inventory.list(shop.db), [{ variantId: shop.productId, available: 3, reserved: 2 }]);
});
