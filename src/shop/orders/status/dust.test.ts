/** Orders that received only dust. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

const by = createStaffActor(uuidv7());

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});
beforeEach(() => shop.setStock(1000));

/** An open order with these confirmed amounts. */
async function pay(...amounts: bigint[]): Promise<{ readonly user: string; readonly id: string }> {
  const user = await shop.createBuyer();
  const { id } = await shop.placeOrder(user);
  const height = shop.tip - 3;
  await shop.setChainState(
    id,
    amounts.map((amount) => ({ amount, firstSeen: shop.now, height })),
  );
  return { user, id };
}

async function cancel(user: string, id: string): Promise<string> {
  const result = await shop.orderStatus.cancel(user, id);
  return result.ok ? result.order.payment_status : result.reason;
}
async function giveUp(id: string): Promise<string> {
  const result = await shop.paymentDecisions.cancelByStaff(id, { by, reason: 'only dust arrived' });
  return result.ok ? result.order.payment_status : result.reason;
}

test('[PAY-11] an output of 0 satoshis does not block cancelling', async () => {
  const { user, id } = await pay(0n);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'awaiting');
  assert.equal(await cancel(user, id), 'cancelled');
  assert.equal(await shop.countCartUnits(user), 1);
});

test('[PAY-10] an order that received only dust expires as unpaid', async () => {
  const { user, id } = await pay(293n, 293n, 1n);
  assert.equal(await cancel(user, id), 'cancelled');
  assert.equal((await shop.getShownOrder(user, id)).payment.received_btc, 0.00000587);
  assert.deepEqual(await shop.listEvents(id), ['created', 'cancelled']);
});

test('[PAY-11] rejects cancelling when 294 satoshis arrived', async () => {
  const { user, id } = await pay(294n);
  assert.equal(await cancel(user, id), 'payment-live');
});

test('[PAY-10] an order that received only dust expires as unpaid', async () => {
  const { user, id } = await pay(200n);
  shop.advanceMinutes(121);
  await shop.orderStatus.expireDue(shop.now);
  const { payment_status: status, payment } = await shop.getShownOrder(user, id);
  assert.deepEqual([status, payment.state, payment.received_btc], ['expired', 'expired', 0.000002]);
  assert.deepEqual(await shop.listEvents(id), ['created', 'expired']);
});

test('[PAY-10] an order that received only dust expires as unpaid', async () => {
  const stock = await shop.readStock();
  const { user, id } = await pay(200n);
  assert.equal(await giveUp(id), 'cancelled');
  assert.deepEqual(await shop.readStock(), stock);
  assert.equal((await shop.getShownOrder(user, id)).payment.received_btc, 0.000002);
  assert.equal(await giveUp((await pay(294n)).id), 'not-taken-back');
  assert.equal(await giveUp((await pay()).id), 'not-taken-back');
});

test('[PAY-12] dust does not block cancelling a double-spent order', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const paid = { amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 };
  await shop.setChainState(id, [paid]);
  const dust = { amount: 100n, firstSeen: shop.now, height: shop.tip - 2 };
  await shop.setChainState(id, [{ ...paid, height: null, isLive: false }, dust]);
  assert.equal(await giveUp(id), 'cancelled');
});

test('[PAY-15] [PAY-17] a rest too small to send is accepted; a larger one is requested', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const due = payment.amount_btc;
  const send = (missing: bigint): Promise<void> =>
    shop.setChainState(id, [{ amount: due - missing, firstSeen: shop.now, height: shop.tip - 3 }]);
  await send(294n);
  const part = await shop.getShownOrder(user, id);
  assert.deepEqual([part.payment_status, part.payment.state], ['pending', 'underpaid']);
  assert.match(part.payment.bip21 ?? '', /amount=0\.00000294&/);
  await send(150n);
  const { payment_status: status, payment: paid } = await shop.getShownOrder(user, id);
  assert.deepEqual([status, paid.state, paid.short_btc, paid.bip21], ['paid', 'paid', 0.0000015, null]);
});

test('[PAY-15] a late payment short by a rest too small to send is accepted', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.createExpiredOrder(user);
  await shop.setChainState(id, [{ amount: payment.amount_btc - 293n, firstSeen: shop.now, height: shop.tip - 5 }]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
});
