/** The payment of an order is lost while its refund is made, sent or confirmed. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { testKey } from '../../../tests/support/devchain.ts';
import { openOrderRefunds, SURPLUS } from '../../../tests/support/order-refunds.ts';
import type { OrderRefunds, Refunded } from '../../../tests/support/order-refunds.ts';
import type { OrderShop, Output } from '../../../tests/support/order-shop.ts';
import { writeAccountingExport } from '#src/shop/accounting-export/service.ts';
import { createStaffActor } from '../../../tests/support/staff-actor.ts';

let refunding: OrderRefunds;
let shop: OrderShop;
beforeEach(async () => {
  refunding = await openOrderRefunds();
  ({ shop } = refunding);
  await shop.setStock(10);
});

const DEEP = (): number => shop.tip - 5;
const createStaffReason = () => ({ by: createStaffActor(refunding.staff), reason: 'Nothing will come' });
const createPayment = ({ due }: Refunded, more: Partial<Output> = {}): Output => ({
  amount: due,
  firstSeen: shop.now,
  height: DEEP(),
  ...more,
});
/** Reorganized, with a conflict of this many confirmations or none. */
const createLostPayment = (order: Refunded, confirmations: number | null): Output =>
  createPayment(order, {
    height: null,
    isLive: false,
    ...(confirmations === null ? {} : { conflictHeight: shop.tip - confirmations + 1 }),
  });

async function readShownStatus({ user, id }: Refunded) {
  const { payment_status: status, payment: shown } = await shop.getShownOrder(user, id);
  return [status, shown.state, shown.loss];
}
async function check({ user, id }: Refunded) {
  const found = await shop.orders.checkPayment(user, id);
  return [found?.isPaid, found?.payment.received_btc];
}
async function exportPayments() {
  let csv = '';
  const totals = await writeAccountingExport(shop.db, { from: null, to: null }, (text) => void (csv += text));
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const columns = head.split(',');
  const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [columns[at] ?? '', cell])));
  return { totals, rows };
}
async function createRefunded() {
  const { address } = testKey();
  const order = await refunding.createPaidOrder(address);
  const refund = await refunding.createRefund(order.id, 'whole');
  return {
    ...order,
    refund,
    setSent: (height: number | null) => refunding.setChainState(address, [{ byte: 7, height }], order.due),
  };
}
const close = async ({ id }: Refunded): Promise<string> => {
  const closed = await shop.paymentDecisions.closeAsLoss(id, createStaffReason());
  return closed.ok ? closed.order.payment_status : closed.reason;
};

test('[PAY-14] a lost payment stops a refund that was not sent', async () => {
  const order = await createRefunded();
  assert.deepEqual([await readShownStatus(order), (await check(order))[0]], [['paid', 'refunding', null], true]);
  await shop.setChainState(order.id, [createLostPayment(order, null)]);
  assert.deepEqual(await readShownStatus(order), ['user_paid', 'refunding', 'refund_stopped']);
  assert.deepEqual(await check(order), [false, 0n]);
  const { payment: shown } = await shop.getShownOrder(order.user, order.id);
  assert.equal(shown.bip21, null, 'the page requests nothing');
  assert.equal((await shop.listEvents(order.id)).at(-1), 'refund_stopped');
  assert.equal(await shop.refunds.notices.readMail(order.refund, 'made'), null, 'no mail announces the refund');
  assert.equal(await close(order), 'refunding', 'it was not sent');
});

test('[PAY-14] a stopped refund continues when its payment is confirmed again', async () => {
  const order = await createRefunded();
  await shop.setChainState(order.id, [createLostPayment(order, null)]);
  await shop.setChainState(order.id, [createPayment(order)]);
  assert.deepEqual(await readShownStatus(order), ['paid', 'refunding', null]);
  assert.equal((await shop.listEvents(order.id)).at(-1), 'refund_resumed');
  assert.ok(await shop.refunds.notices.readMail(order.refund, 'made'));
});

test('[PAY-14] withdrawing a stopped refund leaves a reorganized order', async () => {
  const order = await createRefunded();
  await shop.setChainState(order.id, [createLostPayment(order, 2)]);
  assert.ok((await shop.refunds.withdraw(createStaffActor(refunding.staff), order.refund)).ok);
  assert.deepEqual(await readShownStatus(order), ['user_paid', 'reorged_out', 'double_spent']);
  const events = await shop.listEvents(order.id);
  assert.deepEqual(events.slice(-3), ['refund_withdrawn', 'reorged_out', 'double_spent']);
  const given = await shop.paymentDecisions.cancelByStaff(order.id, createStaffReason());
  assert.ok(given.ok);
});

test('[PAY-14] a sent refund is reported as uncovered, then lost, and closed', async () => {
  const order = await createRefunded();
  await order.setSent(DEEP());
  assert.deepEqual(await readShownStatus(order), ['refunded', 'refunded', null]);
  await shop.setChainState(order.id, [createLostPayment(order, 1)]);
  assert.deepEqual(await readShownStatus(order), ['refunded', 'refunded', 'refund_uncovered']);
  assert.deepEqual(await check(order), [false, 0n]);
  await shop.setChainState(order.id, [createLostPayment(order, 2)]);
  assert.deepEqual(await readShownStatus(order), ['refunded', 'refunded', 'refund_lost']);
  assert.deepEqual((await shop.listEvents(order.id)).slice(-2), ['refund_uncovered', 'refund_lost']);
  assert.equal(await close(order), 'refunded');
  assert.deepEqual(await readShownStatus(order), ['refunded', 'refunded', 'closed']);
  await shop.setChainState(order.id, [createPayment(order)]);
  assert.deepEqual(await readShownStatus(order), ['refunded', 'refunded', null]);
  assert.deepEqual((await shop.listEvents(order.id)).slice(-2), ['loss_reversed', 'refund_covered']);
});

test('[PAY-14] the accounting export has a refund with a lost payment', async () => {
  const order = await createRefunded();
  await order.setSent(DEEP());
  await shop.setChainState(order.id, [createLostPayment(order, 2)]);
  const { totals, rows } = await exportPayments();
  assert.deepEqual([totals.sats, totals.lossSats, totals.refundSats], [0n, order.due, order.due]);
  assert.deepEqual(
    rows.map((row) => [row['order_status'], row['sats'], row['loss_sats'], row['refund_sats']]),
    [['refunded', '', String(order.due), String(order.due)]],
  );
});

test('[PAY-14] the accounting export has a loss until the order is paid', async () => {
  const order = await refunding.createPaidOrder(testKey().address);
  assert.ok((await shop.fulfilment.record(order.id, { to: 'shipped', trackingReference: null })).ok);
  await shop.setChainState(order.id, [createLostPayment(order, 2)]);
  assert.equal((await exportPayments()).totals.lossSats, 0n, 'it may be paid again');
  assert.equal(await close(order), 'user_paid');
  const { totals, rows } = await exportPayments();
  assert.deepEqual([totals.sats, totals.lossSats], [0n, order.due]);
  assert.equal(rows[0]?.['loss_usd'], '999.00');
  await shop.setChainState(order.id, [createPayment(order)]);
  assert.deepEqual([(await exportPayments()).totals.sats, (await exportPayments()).totals.lossSats], [order.due, 0n]);
});

test('[PAY-14] the loss of a refunded surplus is reported', async () => {
  const { address } = testKey();
  const order = await refunding.createPaidOrder(address, SURPLUS);
  await refunding.createRefund(order.id);
  await refunding.setChainState(address, [{ byte: 9, height: DEEP() }]);
  const surplus = { ...createPayment(order), amount: SURPLUS, height: null, isLive: false, conflictHeight: DEEP() };
  await shop.setChainState(order.id, [createPayment(order), surplus]);
  assert.deepEqual(await readShownStatus(order), ['paid', 'paid', 'refund_lost']);
  assert.equal(await close(order), 'paid');
  assert.equal((await exportPayments()).totals.lossSats, SURPLUS);
});

test('[PAY-14] staff refund the rest of a partly double-spent order', async () => {
  const { address } = testKey();
  const order = await refunding.createPaidOrder(address);
  const half = { ...createPayment(order), amount: order.due / 2n };
  const lostOutput = { ...half, height: null, isLive: false, conflictHeight: DEEP() };
  await shop.setChainState(order.id, [half, lostOutput]);
  assert.deepEqual(await readShownStatus(order), ['user_paid', 'reorged_out', 'part_double_spent']);
  await refunding.createRefund(order.id, 'whole');
  await refunding.setChainState(address, [{ byte: 8, height: DEEP() }], order.due / 2n);
  assert.deepEqual(await readShownStatus(order), ['refunded', 'refunded', null]);
  assert.equal((await shop.readStock()).available, 10, 'its stock was released');
});
