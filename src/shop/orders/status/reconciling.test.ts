import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openOrderShop, WINDOW_MINUTES, toWire } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});

test('[PAY-09] a reorganized mining reward leaves no event', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const reward = { amount: payment.amount_btc, firstSeen: shop.now, isCoinbase: true };
  await shop.setChainState(id, [{ ...reward, height: shop.tip }]);
  const readShownState = async () => (await shop.getShownOrder(user, id)).payment.state;
  assert.equal(await readShownState(), 'awaiting');
  await shop.setChainState(id, [{ ...reward, isLive: false }]);
  assert.equal(await readShownState(), 'awaiting');
  await shop.setChainState(id, [{ ...reward, isCoinbase: false, isLive: false }]);
  assert.equal(await readShownState(), 'dropped', 'a payment would be shown');
  assert.deepEqual(await shop.listEvents(id), ['created', 'dropped']);
});

test('[API-07] [PAY-09] only the ledger makes an order paid, and it sells once', async () => {
  const user = await shop.createBuyer(3);
  const { id, payment } = await shop.placeOrder(user);
  const due = payment.amount_btc;
  const sold = await shop.readSoldUnits();
  const firstSeen = shop.now;
  await shop.setChainState(id, [{ amount: due - 1000n, firstSeen }]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'underpaid');
  assert.match((await shop.getShownOrder(user, id)).payment.bip21 ?? '', /amount=0\.00001000&/);
  await shop.setChainState(id, [{ amount: due, firstSeen }]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'seen');
  assert.equal((await shop.getShownOrder(user, id)).payment.bip21, null);
  await shop.setChainState(id, [{ amount: due, firstSeen, height: shop.tip }]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'confirming');
  assert.equal((await shop.orders.checkPayment(user, id))?.isPaid, false);
  shop.tip += 1;
  await shop.setChainState(id, [{ amount: due, firstSeen, height: shop.tip - 1 }]);
  const check = await shop.orders.checkPayment(user, id);
  assert.deepEqual(
    [check?.success, check?.isPaid, check?.payment.state],
    [false, true, 'paid'],
    'the ledger responds although no node does',
  );
  assert.equal((await shop.getShownOrder(user, id)).payment.transactions.length, 1);
  assert.equal(toWire(await shop.orders.markUserPaid(user, id)).payment_status, 'paid');
  await shop.db.transaction().execute((tx) => shop.orderStatus.reconcile(tx, [id, id]));
  assert.equal(await shop.readSoldUnits(), sold + 3);
  assert.equal((await shop.listEvents(id)).filter((kind) => kind === 'paid').length, 1);
  assert.equal(await shop.orders.findOpenAddress(user), null);
});

test('[PAY-12] a reorganized order allows another order and sells once', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const [amount, firstSeen, sold] = [payment.amount_btc, shop.now, await shop.readSoldUnits()];
  await shop.setChainState(id, [{ amount, firstSeen, height: shop.tip - 1 }]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  await shop.setChainState(id, [{ amount, firstSeen }]);
  assert.equal((await shop.orders.checkPayment(user, id))?.isPaid, false);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'user_paid');
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'reorged_out');
  assert.equal(toWire(await shop.orders.findCurrent(user)).id, id, 'the buyer sees it');
  shop.advanceMinutes(3 * 60);
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'user_paid', 'it does not expire');
  await shop.fillCart(user);
  const second = await shop.placeOrder(user);
  await shop.setChainState(id, [{ amount, firstSeen, height: shop.tip - 1 }]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  assert.deepEqual(await shop.listEvents(id), ['created', 'paid', 'reorged_out', 'paid_again']);
  assert.equal(await shop.readSoldUnits(), sold + 1);
  assert.equal(toWire(await shop.orders.findCurrent(user)).id, second.id);
});

test('[PAY-10] expires after the window and a sync, unless covered in time', async () => {
  const [user, payer] = [await shop.createBuyer(), await shop.createBuyer()];
  const [idle, covered] = [await shop.placeOrder(user), await shop.placeOrder(payer)];
  await shop.setChainState(covered.id, [{ amount: covered.payment.amount_btc, firstSeen: shop.now }]);
  shop.advanceMinutes(WINDOW_MINUTES - 1);
  const lastLook = shop.now;
  await shop.orderStatus.expireDue(shop.now);
  assert.equal((await shop.getShownOrder(user, idle.id)).payment_status, 'pending');
  shop.advanceMinutes(1);
  await shop.orderStatus.expireDue(lastLook);
  assert.equal((await shop.getShownOrder(user, idle.id)).payment_status, 'pending', 'no sync since');
  await Promise.all([shop.orderStatus.expireDue(shop.now), shop.orderStatus.expireDue(shop.now)]);
  assert.equal((await shop.getShownOrder(user, idle.id)).payment_status, 'expired');
  assert.equal((await shop.getShownOrder(payer, covered.id)).payment_status, 'pending');
  assert.deepEqual(await shop.listEvents(idle.id), ['created', 'expired']);
  assert.equal(await shop.orders.findOpenAddress(user), null);
  await shop.fillCart(user);
  assert.ok((await shop.checkout(user)).ok, 'the user may open another order');
});

test('[PAY-10] accepts a final late payment within 2 percent of the rate', async () => {
  const rate = shop.centsPerBtc;
  for (const [presentRate, status] of [
    [10_900_000n, 'paid'],
    [10_800_000n, 'expired'],
    [null, 'expired'],
  ] as const) {
    const user = await shop.createBuyer();
    const { id, payment } = await shop.placeOrder(user);
    shop.advanceMinutes(WINDOW_MINUTES);
    await shop.orderStatus.expireDue(shop.now);
    shop.advanceMinutes(1);
    shop.centsPerBtc = presentRate;
    await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now }]);
    assert.deepEqual(
      [(await shop.getShownOrder(user, id)).payment_status, (await shop.getShownOrder(user, id)).payment.state],
      ['expired', 'late'],
    );
    await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 1 }]);
    assert.equal((await shop.getShownOrder(user, id)).payment_status, status);
    shop.centsPerBtc = rate;
  }
});
