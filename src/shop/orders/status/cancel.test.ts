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

async function cancelled(userId: string, id: string): Promise<string> {
  const answer = await shop.orderStatus.cancel(userId, id);
  return answer.ok ? answer.order.payment_status : answer.reason;
}

test('[PAY-11] cancelling restores cart and stock once and allows another order', async () => {
  const user = await shop.buyer(3);
  await shop.fill(user, 2, shop.otherProductId);
  const { available } = await shop.stock();
  const { id } = await shop.placeOrder(user);
  await shop.fill(user, 1);
  const answers = await Promise.all(Array.from({ length: 8 }, () => cancelled(user, id)));
  assert.deepEqual(new Set(answers), new Set(['cancelled']));
  assert.deepEqual([await shop.cartUnits(user), await shop.cartUnits(user, shop.otherProductId)], [4, 2]);
  assert.deepEqual(await shop.stock(), { available, held: 0 });
  assert.deepEqual(await shop.eventsOf(id), ['created', 'cancelled']);
  assert.equal(await shop.orders.findOpenAddress(user), null);
  assert.notEqual((await shop.placeOrder(user)).id, id);
  assert.equal(await cancelled(user, id), 'cancelled', 'a later order is not affected');
  assert.equal(await shop.cartUnits(user), 0);
});

test('[PAY-11] adds restored quantities up to 99', async () => {
  const user = await shop.buyer(60);
  const { id } = await shop.placeOrder(user);
  await shop.fill(user, 50);
  await cancelled(user, id);
  assert.equal(await shop.cartUnits(user), 99);
});

test('[PAY-11] cancels an expired order without restocking twice', async () => {
  const user = await shop.buyer(2);
  const { id } = await shop.expired(user);
  const stock = await shop.stock();
  assert.equal(await cancelled(user, id), 'cancelled');
  assert.deepEqual([await shop.stock(), await shop.cartUnits(user)], [stock, 2]);
});

test('[PAY-11] rejects cancelling with a live payment or after one counted', async () => {
  const user = await shop.buyer();
  const { id, payment } = await shop.placeOrder(user);
  await shop.orders.markUserPaid(user, id);
  for (const amount of [294n, payment.amount_btc]) {
    await shop.setChainState(id, [{ amount, firstSeen: shop.now }]);
    assert.equal(await cancelled(user, id), 'payment-live');
  }
  await shop.setChainState(id, []);
  assert.equal(await cancelled(user, id), 'cancelled');

  await shop.fill(user, 1);
  const paid = await shop.placeOrder(user);
  await shop.setChainState(paid.id, [{ amount: paid.payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  assert.equal(await cancelled(user, paid.id), 'not-cancellable');
  await shop.setChainState(paid.id, []);
  assert.equal((await shop.getShownOrder(user, paid.id)).payment.state, 'reorged_out');
  assert.equal(await cancelled(user, paid.id), 'not-cancellable');
  assert.equal(await shop.cartUnits(user), 0);
});

test('[PAY-11] a payment to a cancelled order is recorded but never pays it', async () => {
  const user = await shop.buyer();
  const { id, payment } = await shop.placeOrder(user);
  await cancelled(user, id);
  const sold = await shop.soldUnits();
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
  await shop.orderStatus.reconcileLate();
  shop.pass(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['cancelled', 'late']);
  assert.equal(shown.payment.received_btc, Number(payment.amount_btc) / 1e8);
  assert.equal(await shop.soldUnits(), sold);
  assert.equal(await cancelled(user, id), 'cancelled');
});

test('[API-00] another user’s order cannot be cancelled, requoted or given an address', async () => {
  const [alice, bob] = [await shop.buyer(), await shop.buyer(0)];
  const { id } = await shop.placeOrder(alice);
  const carts = await shop.countOf('carts');
  for (const orderId of [id, uuidv7()]) {
    const answers = [
      await shop.orderStatus.cancel(bob, orderId),
      await shop.orderStatus.requote(bob, orderId),
      await shop.refunds.addresses.set(bob, orderId, 'x'),
    ];
    for (const answer of answers) assert.deepEqual(answer, { ok: false, reason: 'not-found' });
    assert.equal(await shop.refunds.addresses.find(bob, orderId), null);
  }
  assert.equal((await shop.getShownOrder(alice, id)).payment_status, 'pending');
  assert.equal(await shop.countOf('carts'), carts);
});

test('[PAY-07] limits orders to ten a day for users who cancel', async () => {
  const user = await shop.buyer();
  const first = shop.now;
  for (let count = 0; count < ORDERS_PER_DAY; count += 1) {
    assert.equal(await cancelled(user, (await shop.placeOrder(user)).id), 'cancelled');
    shop.pass(1);
  }
  const issued = await shop.countOf('order_addresses');
  const refused = await Promise.all([shop.checkout(user), shop.checkout(user, 'key')]);
  const retryAfterSeconds = (24 * 60 - ORDERS_PER_DAY) * 60;
  for (const answer of refused) assert.deepEqual(answer, { ok: false, reason: 'too-often', retryAfterSeconds });
  assert.equal(await shop.countOf('order_addresses'), issued);
  shop.now = new Date(first.getTime() + 24 * 3600_000);
  assert.ok((await shop.checkout(user)).ok, 'the first is a day old');
});
