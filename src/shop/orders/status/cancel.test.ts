import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { openOrderShop, ORDERS_PER_DAY, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
  await shop.setStock(1000);
});

async function cancelOrder(userId: string, id: string): Promise<string> {
  const result = await shop.orderStatus.cancel(userId, id);
  return result.ok ? result.order.payment_status : result.reason;
}

test('[PAY-11] cancelling restores cart and stock once and allows another order', async () => {
  const user = await shop.createBuyer(3);
  await shop.fillCart(user, 2, shop.otherProductId);
  const { available } = await shop.readStock();
  const { id } = await shop.placeOrder(user);
  await shop.fillCart(user, 1);
  const results = await Promise.all(Array.from({ length: 8 }, () => cancelOrder(user, id)));
  assert.deepEqual(new Set(results), new Set(['cancelled']));
  assert.deepEqual([await shop.countCartUnits(user), await shop.countCartUnits(user, shop.otherProductId)], [4, 2]);
  assert.deepEqual(await shop.readStock(), { available, held: 0 });
  assert.deepEqual(await shop.listEvents(id), ['created', 'cancelled']);
  assert.equal(await shop.orders.findOpenAddress(user), null);
  assert.notEqual((await shop.placeOrder(user)).id, id);
  assert.equal(await cancelOrder(user, id), 'cancelled', 'a later order is not affected');
  assert.equal(await shop.countCartUnits(user), 0);
});

test('[PAY-11] adds restored quantities up to 99', async () => {
  const user = await shop.createBuyer(60);
  const { id } = await shop.placeOrder(user);
  await shop.fillCart(user, 50);
  await cancelOrder(user, id);
  assert.equal(await shop.countCartUnits(user), 99);
});

test('[PAY-11] cancels an expired order without restocking twice', async () => {
  const user = await shop.createBuyer(2);
  const { id } = await shop.createExpiredOrder(user);
  const stock = await shop.readStock();
  assert.equal(await cancelOrder(user, id), 'cancelled');
  assert.deepEqual([await shop.readStock(), await shop.countCartUnits(user)], [stock, 2]);
});

test('[PAY-11] rejects cancelling with a live payment or after one counted', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  await shop.orders.markUserPaid(user, id);
  for (const amount of [294n, payment.amount_btc]) {
    await shop.setChainState(id, [{ amount, firstSeen: shop.now }]);
    assert.equal(await cancelOrder(user, id), 'payment-live');
  }
  await shop.setChainState(id, []);
  assert.equal(await cancelOrder(user, id), 'cancelled');

  await shop.fillCart(user, 1);
  const paid = await shop.placeOrder(user);
  await shop.setChainState(paid.id, [{ amount: paid.payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  assert.equal(await cancelOrder(user, paid.id), 'not-cancellable');
  await shop.setChainState(paid.id, []);
  assert.equal((await shop.getShownOrder(user, paid.id)).payment.state, 'reorged_out');
  assert.equal(await cancelOrder(user, paid.id), 'not-cancellable');
  assert.equal(await shop.countCartUnits(user), 0);
});

test('[PAY-11] a payment to a cancelled order is recorded but never pays it', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  await cancelOrder(user, id);
  const sold = await shop.readSoldUnits();
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  await shop.orderStatus.reconcileLate();
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['cancelled', 'late']);
  assert.equal(shown.payment.received_btc, Number(payment.amount_btc) / 1e8);
  assert.equal(await shop.readSoldUnits(), sold);
  assert.equal(await cancelOrder(user, id), 'cancelled');
});

test('[API-00] another user’s order cannot be cancelled, requoted or given an address', async () => {
  const [alice, bob] = [await shop.createBuyer(), await shop.createBuyer(0)];
  const { id } = await shop.placeOrder(alice);
  const carts = await shop.countRows('carts');
  for (const orderId of [id, uuidv7()]) {
    const results = [
      await shop.orderStatus.cancel(bob, orderId),
      await shop.orderStatus.requote(bob, orderId),
      await shop.refunds.addresses.set(bob, orderId, 'x'),
    ];
    for (const result of results) assert.deepEqual(result, { ok: false, reason: 'not-found' });
    assert.equal(await shop.refunds.addresses.find(bob, orderId), null);
  }
  assert.equal((await shop.getShownOrder(alice, id)).payment_status, 'pending');
  assert.equal(await shop.countRows('carts'), carts);
});

test('[PAY-07] limits orders to ten a day for users who cancel', async () => {
  const user = await shop.createBuyer();
  const first = shop.now;
  for (let count = 0; count < ORDERS_PER_DAY; count += 1) {
    assert.equal(await cancelOrder(user, (await shop.placeOrder(user)).id), 'cancelled');
    shop.advanceMinutes(1);
  }
  const issued = await shop.countRows('order_addresses');
  const refused = await Promise.all([shop.checkout(user), shop.checkout(user, 'key')]);
  const retryAfterSeconds = (24 * 60 - ORDERS_PER_DAY) * 60;
  for (const result of refused) assert.deepEqual(result, { ok: false, reason: 'too-often', retryAfterSeconds });
  assert.equal(await shop.countRows('order_addresses'), issued);
  shop.now = new Date(first.getTime() + 24 * 3600_000);
  assert.ok((await shop.checkout(user)).ok, 'the first is a day old');
});
