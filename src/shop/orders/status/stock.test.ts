import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';

let shop: OrderShop;
beforeEach(async () => {
  shop = await openOrderShop();
});

const createFinalOutputs = (amount: bigint) => [{ amount, firstSeen: shop.now, height: shop.tip - 1 }];

test('[API-06] 100 parallel buyers of one unit place one order', async () => {
  await shop.setStock(1);
  const buyers = await Promise.all(Array.from({ length: 100 }, () => shop.createBuyer()));
  const results = await Promise.all(buyers.map((buyer) => shop.checkout(buyer, 'once')));
  assert.equal(results.filter(({ ok }) => ok).length, 1);
  const refused = results.filter((result) => !result.ok);
  assert.equal(refused.length, 99);
  for (const result of refused)
    assert.deepEqual(result, {
      ok: false,
      reason: 'sold-out',
      words: 'iPhone 17 is sold out. Remove it from your cart to continue',
    });
  assert.deepEqual(await shop.readStock(), { available: 0, held: 1 });
  assert.deepEqual([await shop.countRows('orders'), await shop.countRows('order_addresses')], [1, 1]);
  assert.equal(await shop.countRows('idempotency_keys'), 1);
  const cartUnits = await Promise.all(buyers.map((buyer) => shop.countCartUnits(buyer)));
  assert.equal(cartUnits.filter((left) => left === 1).length, 99, 'a rejected checkout leaves the cart unchanged');
});

test('[API-06] reserves all of an order or nothing; no stock row is unlimited', async () => {
  await shop.setStock(2);
  await shop.setStock(5, shop.otherProductId);
  const buyer = await shop.createBuyer(3);
  await shop.fillCart(buyer, 2, shop.otherProductId);
  const result = await shop.checkout(buyer);
  const message = 'Only 2 of iPhone 17 are left. Reduce the quantity to continue';
  assert.deepEqual(result, { ok: false, reason: 'sold-out', words: message });
  assert.deepEqual(await shop.readStock(shop.otherProductId), { available: 5, held: 0 });
  await shop.setStock(3);
  await shop.placeOrder(buyer);
  assert.deepEqual(await shop.readStock(), { available: 0, held: 3 });
  assert.deepEqual(await shop.readStock(shop.otherProductId), { available: 3, held: 2 });
  const other = await openOrderShop();
  await other.placeOrder(await other.createBuyer(99));
});

test('[PAY-10] a paid reservation is sold once, also after a reorganization', async () => {
  await shop.setStock(4);
  const buyer = await shop.createBuyer(3);
  const { id, payment } = await shop.placeOrder(buyer);
  for (let times = 0; times < 2; times += 1) {
    await shop.setChainState(id, createFinalOutputs(payment.amount_btc));
    assert.deepEqual([await shop.readStock(), await shop.readSoldUnits()], [{ available: 1, held: 0 }, 3]);
    await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now }]);
    assert.deepEqual([await shop.readStock(), await shop.readSoldUnits()], [{ available: 1, held: 0 }, 3]);
  }
});

test('[PAY-10] an expired order releases once; a late payment reserves again', async () => {
  await shop.setStock(1);
  const order = await shop.createExpiredOrder(await shop.createBuyer());
  await Promise.all([1, 2, 3].map(() => shop.orderStatus.expireDue(shop.now)));
  assert.deepEqual(await shop.readStock(), { available: 1, held: 0 });
  await shop.setChainState(order.id, createFinalOutputs(order.payment.amount_btc));
  assert.deepEqual([await shop.readStock(), await shop.readSoldUnits()], [{ available: 0, held: 0 }, 1]);
});

test('[PAY-10] a late payment for sold-out items waits for stock', async () => {
  await shop.setStock(1);
  const [late, quick] = [await shop.createBuyer(), await shop.createBuyer()];
  const order = await shop.createExpiredOrder(late);
  await shop.placeOrder(quick);
  const pay = () => shop.setChainState(order.id, createFinalOutputs(order.payment.amount_btc));
  await pay();
  await pay();
  await shop.orderStatus.reconcileLate();
  const shown = await shop.getShownOrder(late, order.id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['expired', 'late']);
  assert.equal((await shop.listEvents(order.id)).filter((kind) => kind === 'late_sold_out').length, 1);
  assert.deepEqual([await shop.readStock(), await shop.readSoldUnits()], [{ available: 0, held: 1 }, 0]);

  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  await shop.orderStatus.reconcileLate();
  assert.equal((await shop.getShownOrder(late, order.id)).payment_status, 'paid');
  assert.deepEqual([await shop.readStock(), await shop.readSoldUnits()], [{ available: 0, held: 0 }, 1]);
});

test('[PAY-10] a late payment final without a rate is accepted with one', async () => {
  const buyer = await shop.createBuyer();
  const order = await shop.createExpiredOrder(buyer);
  const rate = shop.centsPerBtc;
  const readStatusAt = async (present: bigint | null): Promise<string> => {
    shop.centsPerBtc = present;
    await shop.orderStatus.reconcileLate();
    return (await shop.getShownOrder(buyer, order.id)).payment_status;
  };
  shop.centsPerBtc = null;
  await shop.setChainState(order.id, createFinalOutputs(order.payment.amount_btc));
  assert.equal(await readStatusAt(null), 'expired');
  assert.equal(await readStatusAt(10_000_000n), 'expired', 'the rate change exceeds the tolerance');
  assert.equal(await readStatusAt(rate), 'paid');
  assert.deepEqual(await shop.listEvents(order.id), [
    'created',
    'expired',
    'late',
    'late_waits',
    'late_accepted',
    'paid',
  ]);
});
