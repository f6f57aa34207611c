/** Timely payments that stay unconfirmed. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openOrderShop, UNCONFIRMED_LIMIT_MINUTES, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';

const RATE = 11_100_000n;
let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

async function createUnconfirmedOrder(quantity = 1) {
  const user = await shop.createBuyer(quantity);
  const { id, payment } = await shop.placeOrder(user);
  const output = { amount: payment.amount_btc, firstSeen: shop.now };
  await shop.setChainState(id, [output]);
  return { user, id, output, due: payment.amount_btc };
}
const expire = () => shop.orderStatus.expireDue(shop.now);

test('[PAY-10] releases price and stock of a payment unconfirmed past the limit', async () => {
  await shop.setStock(3);
  const { user, id } = await createUnconfirmedOrder(2);
  shop.advanceMinutes(WINDOW_MINUTES + UNCONFIRMED_LIMIT_MINUTES - 1);
  await expire();
  assert.deepEqual(
    [(await shop.getShownOrder(user, id)).payment.state, await shop.readStock()],
    ['seen', { available: 1, held: 2 }],
  );
  shop.advanceMinutes(1);
  await expire();
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([payment_status, payment.state, payment.bip21], ['expired', 'late', null]);
  assert.deepEqual(await shop.readStock(), { available: 3, held: 0 });
  assert.deepEqual(await shop.listEvents(id), ['created', 'payment_seen', 'unconfirmed_too_long']);
  await expire();
  assert.equal((await shop.listEvents(id)).length, 3, 'once');
});

test('[PAY-10] a confirmed payment keeps the order open, however shallow', async () => {
  await shop.setStock(100);
  const { user, id, output } = await createUnconfirmedOrder();
  await shop.setChainState(id, [{ ...output, height: shop.tip }]);
  shop.advanceMinutes(WINDOW_MINUTES + UNCONFIRMED_LIMIT_MINUTES + 1);
  await expire();
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'confirming');
});

test('[PAY-10] a payment confirmed after the limit is late', async () => {
  await shop.setStock(100);
  const { user, id, output } = await createUnconfirmedOrder();
  shop.advanceMinutes(WINDOW_MINUTES + UNCONFIRMED_LIMIT_MINUTES);
  await expire();
  shop.centsPerBtc = RATE / 2n;
  await shop.setChainState(id, [{ ...output, height: shop.tip - 1, confirmedAt: shop.now }]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'late');
  assert.equal((await shop.listEvents(id)).at(-1), 'late_waits');
  shop.centsPerBtc = RATE;
  await shop.orderStatus.reconcileLate();
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
});

test('[PAY-10] [PAY-11] a requote drops the price of a payment unconfirmed too long', async () => {
  await shop.setStock(100);
  for (const isConfirmed of [false, true]) {
    const { user, id, output, due } = await createUnconfirmedOrder();
    shop.advanceMinutes(WINDOW_MINUTES + UNCONFIRMED_LIMIT_MINUTES);
    await expire();
    shop.centsPerBtc = RATE / 2n;
    if (isConfirmed) await shop.setChainState(id, [{ ...output, height: shop.tip - 1, confirmedAt: shop.now }]);
    const result = await shop.orderStatus.requote(user, id);
    shop.centsPerBtc = RATE;
    assert.ok(result.ok);
    assert.deepEqual([result.order.payment.amount_btc, result.order.payment.state], [due * 2n, 'underpaid']);
  }
});

test('[PAY-10] [PAY-11] a part confirmed within the limit keeps its price', async () => {
  await shop.setStock(100);
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const half = { amount: payment.amount_btc / 2n, firstSeen: shop.now };
  await shop.setChainState(id, [{ ...half, height: shop.tip - 1, confirmedAt: new Date(shop.now.getTime() + 60_000) }]);
  shop.advanceMinutes(3 * UNCONFIRMED_LIMIT_MINUTES);
  await expire();
  shop.centsPerBtc = RATE / 2n;
  const result = await shop.orderStatus.requote(user, id);
  shop.centsPerBtc = RATE;
  assert.ok(result.ok);
  assert.equal(result.order.payment.amount_btc, payment.amount_btc + half.amount);
});
