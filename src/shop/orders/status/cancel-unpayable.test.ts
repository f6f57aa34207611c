/** Staff cancel an order whose payment was double-spent after a reorganization. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addPromotion } from '../../../../tests/support/add-promotion.ts';
import { openOrderShop } from '../../../../tests/support/order-shop.ts';
import type { OrderShop, Output } from '../../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

const REASON = 'Its coins were spent otherwise';
const by = createStaffActor(uuidv7());

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});
beforeEach(() => shop.setStock(1000));

async function giveUp(id: string): Promise<string> {
  const result = await shop.paymentDecisions.cancelByStaff(id, { by, reason: REASON });
  return result.ok ? result.order.payment_status : result.reason;
}

/** A paid order whose payment was reorganized. */
async function createReorgedPayment(
  quantity = 1,
): Promise<{ readonly user: string; readonly id: string; readonly paid: Output }> {
  const user = await shop.createBuyer(quantity);
  const { id, payment } = await shop.placeOrder(user);
  const paid = { amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 };
  await shop.setChainState(id, [paid]);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  await shop.setChainState(id, [{ ...paid, height: null, isLive: false }]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'reorged_out');
  return { user, id, paid };
}

test('[PAY-12] [OPS-03] cancelling restocks once and leaves the cart unchanged', async () => {
  await shop.setStock(3);
  const sold = await shop.readSoldUnits();
  const { user, id } = await createReorgedPayment(3);
  assert.deepEqual(await shop.readStock(), { available: 0, held: 0 });
  const results = await Promise.all(Array.from({ length: 6 }, () => giveUp(id)));
  assert.deepEqual(new Set(results), new Set(['cancelled']));
  assert.deepEqual([await shop.readStock(), await shop.readSoldUnits()], [{ available: 3, held: 0 }, sold]);
  assert.equal(await shop.countCartUnits(user), 0);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'dropped');
  assert.deepEqual((await shop.listEvents(id)).slice(-2), ['cancelled', 'units_returned']);
  const { rows } = await sql<{ details: object }>`select details from order_events
    where order_id = ${id} and kind = 'cancelled'`.execute(shop.db);
  const [{ details } = { details: {} }] = rows;
  assert.deepEqual([Reflect.get(details, 'by'), Reflect.get(details, 'reason')], [by.userId, REASON]);
  await shop.db.transaction().execute((tx) => shop.orderStatus.reconcile(tx, [id]));
  assert.deepEqual(await shop.readStock(), { available: 3, held: 0 });
});

test('[PAY-12] [PROMO-03] cancelling frees the promo code', async () => {
  const code = 'ONCE';
  await addPromotion(shop.db, { code, maxUses: 1 });
  const apply = (userId: string) => shop.carts.applyPromotion({ userId, guestToken: null }, code);
  const user = await shop.createBuyer();
  assert.ok((await apply(user)).ok);
  const { id, payment } = await shop.placeOrder(user);
  const paid = { amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 };
  await shop.setChainState(id, [paid]);
  await shop.setChainState(id, []);
  const another = await shop.createBuyer();
  await shop.promotions.refreshUses();
  assert.equal((await apply(another)).ok, false);
  assert.equal(await giveUp(id), 'cancelled');
  await shop.promotions.refreshUses();
  assert.ok((await apply(another)).ok);
});

test('[PAY-12] [OPS-03] requires a paid, unshipped order without live payment or refund', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  assert.equal(await giveUp(id), 'not-taken-back');
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now, height: shop.tip - 5 }]);
  assert.equal(await giveUp(id), 'not-taken-back');
  // Unconfirmed, it may still become its payment.
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now }]);
  assert.equal(await giveUp(id), 'payment-live');

  const shippedBuyer = await shop.createBuyer();
  const { id: sentId, payment: due } = await shop.placeOrder(shippedBuyer);
  await shop.setChainState(sentId, [{ amount: due.amount_btc, firstSeen: shop.now, height: shop.tip - 5 }]);
  assert.ok((await shop.fulfilment.record(sentId, { to: 'shipped', trackingReference: null })).ok);
  await shop.setChainState(sentId, []);
  const stock = await shop.readStock();
  assert.equal(await giveUp(sentId), 'shipped');
  assert.deepEqual(await shop.readStock(), stock);
  assert.equal(await giveUp(uuidv7()), 'not-found');
});

test('[PAY-12] [OPS-03] staff decide on a payment that returns after cancelling', async () => {
  await shop.setStock(2);
  const { user, id, paid } = await createReorgedPayment(2);
  assert.equal(await giveUp(id), 'cancelled');
  await shop.setChainState(id, [paid]);
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['cancelled', 'late']);
  assert.deepEqual(await shop.readStock(), { available: 2, held: 0 });

  const staffReason = { by, reason: 'The payment arrived later' };
  await shop.setStock(1);
  const short = await shop.paymentDecisions.acceptAsPaid(id, staffReason);
  assert.equal(short.ok ? '' : short.reason, 'sold-out');
  await shop.setStock(2);
  const sold = await shop.readSoldUnits();
  assert.ok((await shop.paymentDecisions.acceptAsPaid(id, staffReason)).ok);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  assert.deepEqual([await shop.readStock(), await shop.readSoldUnits()], [{ available: 0, held: 0 }, sold + 2]);
  assert.ok((await shop.fulfilment.record(id, { to: 'shipped', trackingReference: null })).ok);
});

test('[PAY-12] cancelling races with the returning payment without overselling', async () => {
  for (let round = 0; round < 20; round += 1) {
    await shop.setStock(1);
    const { user, id, paid } = await createReorgedPayment();
    await Promise.all([giveUp(id), shop.setChainState(id, [paid])]);
    const { payment_status: status, payment } = await shop.getShownOrder(user, id);
    const { available, held } = await shop.readStock();
    assert.ok(status === 'paid' || (status === 'cancelled' && payment.state === 'late'), `${status} ${payment.state}`);
    assert.deepEqual([available, held], [status === 'paid' ? 0 : 1, 0]);
  }
});
