/** Staff accept the received amount as full payment. */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addPromotion } from '../../../../tests/support/add-promotion.ts';
import { openOrderShop, WINDOW_MINUTES } from '../../../../tests/support/order-shop.ts';
import type { OrderShop } from '../../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';

const REASON = 'The rest is not worth a mail';
const by = createStaffActor(uuidv7());

let shop: OrderShop;
before(async () => {
  shop = await openOrderShop();
});
beforeEach(() => shop.setStock(1000));

const accept = (id: string) => shop.paymentDecisions.acceptAsPaid(id, { by, reason: REASON });
/** A final payment. */
const confirmPayment = (id: string, amount: bigint) =>
  shop.setChainState(id, [{ amount, firstSeen: shop.now, height: shop.tip - 5 }]);

async function readDetails(orderId: string, kind: string): Promise<unknown> {
  const { rows } = await sql<{ details: unknown }>`select details from order_events
    where order_id = ${orderId} and kind = ${kind}`.execute(shop.db);
  return rows.map(({ details }) => details);
}

test('[OPS-03] [PAY-10] accepting an expired underpaid order sells its stock', async () => {
  await shop.setStock(2);
  const user = await shop.createBuyer(2);
  const { id, payment } = await shop.placeOrder(user);
  const sold = await shop.readSoldUnits();
  const part = payment.amount_btc - 5000n;
  await confirmPayment(id, part);
  assert.equal((await shop.readStock()).available, 0);
  shop.advanceMinutes(WINDOW_MINUTES);
  await shop.orderStatus.expireDue(shop.now);
  assert.deepEqual(await shop.readStock(), { available: 2, held: 0 });
  assert.ok((await accept(id)).ok);
  const shown = await shop.getShownOrder(user, id);
  assert.deepEqual([shown.payment_status, shown.payment.state], ['paid', 'paid']);
  assert.equal(shown.payment.bip21, null, 'nothing is missing');
  assert.deepEqual(await shop.readStock(), { available: 0, held: 0 });
  assert.equal(await shop.readSoldUnits(), sold + 2);
  assert.deepEqual((await shop.listEvents(id)).slice(-2), ['settled', 'paid']);
  const sums = { due_sats: String(payment.amount_btc), received_sats: String(part), settled_sats: String(part) };
  assert.deepEqual(await readDetails(id, 'settled'), [{ by: by.userId, reason: REASON, ...sums }]);
  // Idempotent; another reconciliation changes nothing.
  assert.ok((await accept(id)).ok);
  await shop.db.transaction().execute((tx) => shop.orderStatus.reconcile(tx, [id]));
  assert.equal((await shop.listEvents(id)).filter((kind) => kind === 'settled' || kind === 'paid').length, 2);
  assert.equal(await shop.readSoldUnits(), sold + 2);
});

test('[OPS-03] [PAY-12] an accepted payment can be reorganized and paid again', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const firstSeen = shop.now;
  await confirmPayment(id, payment.amount_btc / 2n);
  assert.ok((await accept(id)).ok, 'an open order too');
  await shop.setChainState(id, [{ amount: payment.amount_btc / 2n, firstSeen }]);
  assert.equal((await shop.getShownOrder(user, id)).payment.state, 'reorged_out');
  assert.deepEqual(await accept(id), { ok: false, reason: 'not-confirmed' });
  await confirmPayment(id, payment.amount_btc / 2n);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  assert.deepEqual((await shop.listEvents(id)).slice(-4), ['settled', 'paid', 'reorged_out', 'paid_again']);
});

test('[OPS-03] [PAY-11] accepting a cancelled order restores stock and code, or nothing', async () => {
  await addPromotion(shop.db, { code: 'ONCE', maxUses: 1 });
  await shop.setStock(1);
  const [user, other] = [await shop.createBuyer(), await shop.createBuyer(0)];
  assert.ok((await shop.carts.applyPromotion({ userId: user, guestToken: null }, 'ONCE')).ok);
  const { id, payment } = await shop.placeOrder(user);
  assert.ok((await shop.orderStatus.cancel(user, id)).ok);
  await confirmPayment(id, payment.amount_btc);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'cancelled');

  await shop.setStock(0);
  const soldOut = await accept(id);
  assert.ok(!soldOut.ok && soldOut.reason === 'sold-out' && soldOut.words);
  await shop.setStock(1);
  await shop.fillCart(other, 1, shop.otherProductId);
  assert.ok((await shop.carts.applyPromotion({ userId: other, guestToken: null }, 'ONCE')).ok);
  const taker = await shop.placeOrder(other);
  const promoGone = await accept(id);
  assert.ok(!promoGone.ok && promoGone.reason === 'promo' && promoGone.words);
  assert.deepEqual(await shop.readStock(), { available: 1, held: 0 }, 'a refused acceptance reserves nothing');
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'cancelled');

  assert.ok((await shop.orderStatus.cancel(other, taker.id)).ok);
  assert.ok((await accept(id)).ok);
  assert.equal((await shop.getShownOrder(user, id)).payment_status, 'paid');
  assert.deepEqual(await shop.readStock(), { available: 0, held: 0 });
  const { rows } = await sql`select uses from promotions where code = 'ONCE'`.execute(shop.db);
  assert.deepEqual(rows, [{ uses: 1 }]);
});

test('[OPS-03] rejects absent, unconfirmed, paid and refunding payments without changes', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.placeOrder(user);
  const due = payment.amount_btc;
  assert.deepEqual(await accept(uuidv7()), { ok: false, reason: 'not-found' });
  assert.deepEqual(await accept(id), { ok: false, reason: 'nothing-received' });
  await shop.setChainState(id, [{ amount: due / 2n, firstSeen: shop.now }]);
  assert.deepEqual(await accept(id), { ok: false, reason: 'not-confirmed' });
  await sql`update orders set refund_state = 'refunding' where id = ${id}`.execute(shop.db);
  await confirmPayment(id, due / 2n);
  assert.deepEqual(await accept(id), { ok: false, reason: 'refunding' });
  await sql`update orders set refund_state = null where id = ${id}`.execute(shop.db);
  await confirmPayment(id, due);
  assert.deepEqual(await accept(id), { ok: false, reason: 'already-paid' });
  assert.ok(!(await shop.listEvents(id)).includes('settled'));
});

test('[OPS-03] [PAY-10] staff accept a late payment that the rate blocked', async () => {
  const user = await shop.createBuyer();
  const { id, payment } = await shop.createExpiredOrder(user);
  const rate = shop.centsPerBtc;
  shop.centsPerBtc = 9_000_000n;
  await shop.setChainState(id, [{ amount: payment.amount_btc, firstSeen: shop.now }]);
  await shop.orderStatus.reconcileLate();
  assert.ok(!(await shop.listEvents(id)).includes('late_waits'), 'too few confirmations');
  shop.centsPerBtc = null;
  await confirmPayment(id, payment.amount_btc);
  assert.ok(!(await shop.listEvents(id)).includes('late_waits'), 'undecided without a rate');
  shop.centsPerBtc = 9_000_000n;
  await shop.orderStatus.reconcileLate();
  await shop.db.transaction().execute((tx) => shop.orderStatus.reconcile(tx, [id]));
  await shop.orderStatus.reconcileLate();
  assert.deepEqual(await shop.listEvents(id), ['created', 'expired', 'late', 'late_waits']);
  assert.ok((await accept(id)).ok);
  shop.centsPerBtc = rate;
  assert.deepEqual((await shop.listEvents(id)).slice(-2), ['settled', 'paid']);
});
