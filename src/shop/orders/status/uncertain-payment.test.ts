/** Payments that may have arrived while the shop was down. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';

const RATE = 11_100_000n;
let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});
beforeEach(async () => {
  shop.centsPerBtc = RATE;
  await shop.setStock(1000);
});

/** The shop was down from ten minutes before the window's end until an hour after. */
async function createOutage(change: { readonly height?: number; readonly isLater?: boolean } = {}) {
  const user = await shop.createBuyer();
  const { id, payment, expires_at: end } = await shop.placeOrder(user);
  const addMinutes = (count: number): Date => new Date(end.getTime() + count * 60_000);
  shop.now = addMinutes(60);
  const output = {
    amount: payment.amount_btc,
    arrivedAfter: addMinutes(change.isLater === true ? 1 : -10),
    firstSeen: addMinutes(30),
    height: change.height ?? null,
  };
  return { user, id, output, end };
}

test('[PAY-10] a payment of uncertain arrival counts as in time, with an event', async () => {
  const { user, id, output } = await createOutage();
  await shop.setChainState(id, [output]);
  await shop.orderStatus.expireDue(shop.now);
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['pending', 'seen']);
  assert.deepEqual(await shop.listEvents(id), ['created', 'time_unknown', 'payment_seen']);
  assert.equal(shown.expires_at, output.firstSeen.toISOString());
  await shop.setChainState(id, [{ ...output, height: shop.tip - 1 }]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  assert.ok(!(await shop.listEvents(id)).includes('late_accepted'));
});

test('[PAY-10] a payment that arrived after the window is late', async () => {
  const { user, id, output } = await createOutage({ isLater: true });
  await shop.setChainState(id, [output]);
  await shop.orderStatus.expireDue(shop.now);
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([payment_status, payment.state], ['expired', 'late']);
});

test('[PAY-10] an uncertain payment is late if the rate left the tolerance', async () => {
  const { user, id, output } = await createOutage({ height: 90 });
  shop.centsPerBtc = RATE / 2n;
  await shop.setChainState(id, [output]);
  await shop.orderStatus.expireDue(shop.now);
  const { payment_status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([payment_status, payment.state], ['expired', 'late']);
  assert.ok(!(await shop.listEvents(id)).includes('time_unknown'));
});

test('[PAY-10] an uncertain payment waits for a rate', async () => {
  const { user, id, output } = await createOutage({ height: 90 });
  shop.centsPerBtc = null;
  await shop.setChainState(id, [output]);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'pending');
  assert.deepEqual(await shop.listEvents(id), ['created']);
  shop.centsPerBtc = RATE;
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
});

test('[PAY-10] an uncertain part keeps its price in the requote', async () => {
  const { user, id, output } = await createOutage();
  const part = { ...output, amount: output.amount / 2n };
  await shop.setChainState(id, [part]);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'expired');
  shop.centsPerBtc = (RATE * 4n) / 5n;
  const result = await shop.orderStatus.requote(user, id);
  assert.ok(result.ok);
  const { amount_btc: due } = result.order.payment;
  assert.ok(due < (output.amount * 5n) / 4n && due > output.amount);
  assert.equal(shop.now.getTime() + WINDOW_MINUTES * 60_000, result.order.expires_at.getTime());
});
