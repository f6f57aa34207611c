/** Stock of refunded orders is never lost and never sold twice. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { testKey } from '../../../tests/support/devchain.ts';
import { openOrderRefunds } from '../../../tests/support/order-refunds.ts';
import type { OrderRefunds, Refunded } from '../../../tests/support/order-refunds.ts';
import type { OrderShop } from '../../../tests/support/order-shop.ts';
import { createStaffActor } from '../../../tests/support/staff-actor.ts';

let refunding: OrderRefunds;
let shop: OrderShop;
beforeEach(async () => {
  refunding = await openOrderRefunds();
  ({ shop } = refunding);
});

const DEEP = () => shop.tip - 5;
const ship = (id: string) => shop.fulfilment.record(id, { to: 'shipped', trackingReference: null });
const readStock = async () => [
  (await shop.readStock()).available,
  (await shop.readStock()).held,
  await shop.readSoldUnits(),
];
const readState = async ({ user, id }: Refunded): Promise<string> => {
  const { payment_status: status, payment } = await shop.getShownOrder(user, id);
  return `${status} ${payment.state}`;
};

/** A paid order of this quantity, and a full refund of it. */
let refunds = 0;
async function createRefund(quantity = 1) {
  const byte = (refunds += 1);
  const { address } = testKey();
  const order = await refunding.createPaidOrder(address, 0n, quantity);
  const refund = await refunding.createRefund(order.id, 'whole');
  const setChainState = (height: number | null, isLive = true) =>
    refunding.setChainState(address, [{ byte, height, isLive }], order.due);
  return { ...order, refund, setChainState };
}

test('[PAY-13] a full refund restocks an unshipped order once, when it is final', async () => {
  await shop.setStock(4);
  const order = await createRefund(3);
  assert.deepEqual(await readStock(), [1, 0, 3], 'made: it may still be withdrawn');
  assert.deepEqual(await ship(order.id), { ok: false, reason: 'refunding' });
  await order.setChainState(null);
  assert.deepEqual(await readStock(), [1, 0, 3], 'sent: it may still be replaced');
  await order.setChainState(DEEP());
  assert.deepEqual(await readStock(), [4, 0, 0]);
  assert.equal(await readState(order), 'refunded refunded');
  // Reconciled again, reorganized, confirmed again and paid again: restocked once.
  await order.setChainState(DEEP());
  await order.setChainState(null);
  assert.equal(await readState(order), 'paid refunding');
  assert.deepEqual(await ship(order.id), { ok: false, reason: 'refunding' });
  await order.setChainState(DEEP());
  const firstSeen = shop.now;
  await shop.setChainState(order.id, [{ amount: order.due * 2n, height: DEEP(), firstSeen }]);
  await refunding.createRefund(order.id, 'whole');
  assert.deepEqual(await readStock(), [4, 0, 0]);
  const turns = await shop.listEvents(order.id);
  assert.equal(turns.filter((kind) => kind === 'units_returned').length, 1);
});

test('[PAY-13] a recorded refund restocks; shipped and expired orders are not restocked', async () => {
  await shop.setStock(5);
  const recorded = await createRefund();
  assert.ok((await shop.refunds.record(createStaffActor(refunding.staff), recorded.refund, 'ab'.repeat(32))).ok);
  assert.deepEqual(await readStock(), [5, 0, 0]);

  const { address } = testKey();
  const sent = await refunding.createPaidOrder(address);
  assert.ok((await ship(sent.id)).ok);
  await refunding.createRefund(sent.id, 'whole');
  await refunding.setChainState(address, [{ byte: 0x78, height: DEEP() }], sent.due);
  assert.equal(await readState(sent), 'refunded refunded');
  assert.deepEqual(await readStock(), [4, 0, 1], 'returned goods are restocked by hand');

  // Late payment of an expired order: its stock was released at expiry.
  const user = await shop.createBuyer();
  const { id, payment } = await shop.createExpiredOrder(user);
  shop.centsPerBtc = (shop.centsPerBtc ?? 0n) / 2n;
  const late = { user, id, due: payment.amount_btc };
  shop.advanceMinutes(1);
  await shop.setChainState(id, [{ amount: late.due, height: DEEP(), firstSeen: shop.now }]);
  const { address: other } = testKey();
  await refunding.confirmAddress(late, other);
  await refunding.createRefund(id, 'whole');
  await refunding.setChainState(other, [{ byte: 0x79, height: DEEP() }], late.due);
  assert.equal(await readState(late), 'refunded refunded');
  assert.deepEqual(await readStock(), [4, 0, 1]);
});

test('[PAY-13] an order whose refund is undone gets its stock again or waits', async () => {
  await shop.setStock(1);
  const first = await createRefund();
  await first.setChainState(DEEP());
  // Left the chain and the mempool, and was withdrawn.
  await first.setChainState(null, false);
  assert.deepEqual(await readStock(), [1, 0, 0]);
  assert.ok((await shop.refunds.withdraw(createStaffActor(refunding.staff), first.refund)).ok);
  assert.equal(await readState(first), 'paid paid');
  assert.deepEqual(await readStock(), [0, 0, 1]);
  assert.ok((await ship(first.id)).ok);

  await shop.setStock(1);
  const second = await createRefund();
  await second.setChainState(DEEP());
  const quick = await shop.placeOrder(await shop.createBuyer());
  await second.setChainState(null, false);
  assert.ok((await shop.refunds.withdraw(createStaffActor(refunding.staff), second.refund)).ok);
  assert.equal(await readState(second), 'paid paid');
  assert.deepEqual(await readStock(), [0, 1, 1], 'another buyer reserved it');
  const gone = { ok: false, reason: 'sold-out', words: 'iPhone 17 is sold out' };
  assert.deepEqual(await ship(second.id), gone);
  assert.deepEqual(await ship(second.id), gone);
  assert.equal((await shop.listEvents(second.id)).filter((kind) => kind === 'units_gone').length, 1);
  // With new stock it can be shipped, and commits that stock.
  await shop.setStock(1);
  assert.ok((await ship(second.id)).ok);
  assert.deepEqual(await readStock(), [0, 1, 2]);
  assert.ok(!(await ship(quick.id)).ok, 'the other order is not paid');
});

test('[PAY-13] a reorganized withdrawn refund leaves its order paid', async () => {
  await shop.setStock(2);
  const order = await createRefund();
  assert.ok((await shop.refunds.withdraw(createStaffActor(refunding.staff), order.refund)).ok);
  assert.deepEqual(await readStock(), [1, 0, 1]);
  await order.setChainState(DEEP());
  assert.equal(await readState(order), 'refunded refunded');
  assert.deepEqual(await readStock(), [2, 0, 0]);
  await order.setChainState(null, false);
  assert.equal(await readState(order), 'paid paid');
  assert.deepEqual(await readStock(), [1, 0, 1]);
  assert.ok((await ship(order.id)).ok);
  await order.setChainState(DEEP());
  assert.equal(await readState(order), 'refunded refunded');
  assert.deepEqual(await readStock(), [1, 0, 1], 'it was sent');
});
