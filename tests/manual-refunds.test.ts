/** Manual refund actions of staff, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { waitUntil } from './support/wait-until.ts';

const DAY_S = 24 * 3600;
const REASON = 'told us by phone';

let shop: RefundShop;
let daysAhead = 0;
before(async () => {
  shop = await openRefundShop({ UNCLAIMED_AFTER_DAYS: '1' });
});
after(() => shop.shop.stop());

/** Moves the clock forward, for all tests of this file. */
async function passDays(days: number): Promise<void> {
  daysAhead += days;
  await shop.callDemoTool('clock', { offset_s: Math.ceil(daysAhead * DAY_S) + 5 });
}
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const enterAddress = (id: string, address: string): Promise<ApiResponse> =>
  shop.post(`/orders/${id}/refund-address/enter`, { address, reason: REASON });
const writeOff = (id: string, kind = 'unclaimed'): Promise<ApiResponse> =>
  shop.post(`/orders/${id}/write-offs`, { kind, reason: REASON });
const recordElsewhere = (id: string, more: object = {}): Promise<ApiResponse> =>
  shop.post(`/orders/${id}/refunds/elsewhere`, {
    covers: 'whole',
    txid: 'ab'.repeat(32),
    address: testKey().address,
    reason: REASON,
    ...more,
  });
const waitForMailTo = (buyer: Buyer, words: RegExp): Promise<void> =>
  waitUntil(async () => (await shop.listMailsTo(buyer)).some((mail) => words.test(mail)));
/** Ids of orders with a staff task. */
async function listTaskIds(): Promise<string[]> {
  const { body } = await shop.shop.api('GET', '/payments/attention', { token: shop.staff });
  return listAt(body, 'orders').map((order) => textAt(order, 'order_id'));
}

test('[OPS-25] records a refund that was sent elsewhere; the cancelled order ends', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createCancelledPaidOrder(buyer, 0.009);
  assert.equal(await shop.readTask(id), 'cancelled-paid');
  const { body } = await shop.shop.api('GET', `/support/orders/${id}`, { token: shop.staff });
  const own = textAt(listAt(body, 'outputs')[0], 'txid');
  assert.equal(readErrorCode(await recordElsewhere(id, { txid: own })), '409 own-payment');
  assert.equal(readErrorCode(await recordElsewhere(id, { covers: 'surplus' })), '409 nothing-to-refund');
  assert.equal(readErrorCode(await recordElsewhere(id, { amount_btc: 0.0091 })), '409 too-much');
  assert.equal(readErrorCode(await recordElsewhere(id, { address: 'nonsense' })), '400 invalid-address');
  const onlyFee = await recordElsewhere(id, { fee_btc: 0.000_01 });
  assert.equal(readErrorCode(onlyFee), '400 invalid');
  assert.equal(textAt(onlyFee.body, 'error', 'fields', 'amount_btc'), 'is required with a fee');
  assert.equal((await recordElsewhere(id, { amount_btc: 0.008_99, fee_btc: 0.000_01 })).status, 201);
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });
  assert.equal(await shop.readTask(id), null);
  assert.ok(!(await listTaskIds()).includes(id));
  await waitForMailTo(buyer, /We refunded 0\.008990 BTC/);
  assert.equal(readErrorCode(await recordElsewhere(id)), '409 nothing-to-refund');
  const { body: seen } = await shop.shop.api('GET', `/support/orders/${id}`, { token: shop.staff });
  const event = listAt(seen, 'timeline').find((one) => textAt(one, 'kind') === 'refund_recorded');
  assert.deepEqual([textAt(event, 'note'), textAt(event, 'by')], [REASON, 'staff']);
});

test('[OPS-25] undoes a record with a reason and mails the buyer', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createCancelledPaidOrder(buyer, 0.009);
  const recorded = await recordElsewhere(id);
  const refund = textAt(recorded.body, 'refund', 'id');
  await waitForMailTo(buyer, /We refunded/);
  assert.equal((await shop.post(`/refunds/${refund}/undo-record`, { reason: 'a typing error' })).status, 200);
  assert.equal(await shop.readTask(id), 'cancelled-paid');
  assert.deepEqual(await shop.listStates(id), [['withdrawn', null]]);
  await waitForMailTo(buyer, /not refunded yet/);
  assert.equal(
    readErrorCode(await shop.post(`/refunds/${refund}/undo-record`, { reason: 'again' })),
    '409 not-recorded',
  );
  assert.ok((await shop.readTimeline(buyer, id)).kinds.includes('refund_record_undone'));
});

test('[OPS-25] a recorded refund that is undone waits to be sent again', async () => {
  const { id } = await shop.createOverpaidOrder(testKey().address);
  const own = await shop.createRefund(id, { from: 'any-wallet' });
  const { body } = await shop.shop.api('GET', `/support/orders/${id}`, { token: shop.staff });
  const txid = textAt(listAt(body, 'outputs')[0], 'txid');
  const path = `/refunds/${textAt(own, 'id')}`;
  assert.equal(readErrorCode(await shop.post(`${path}/record`, { txid })), '409 own-payment');
  assert.equal((await shop.post(`${path}/record`, { txid: 'cd'.repeat(32) })).status, 200);
  assert.equal((await shop.post(`${path}/undo-record`, { reason: REASON })).status, 200);
  assert.deepEqual(await shop.listStates(id), [['made', null]]);
  assert.equal(await shop.readTask(id), 'refund-to-send');
});

test('[PAY-14] notifies staff when a withdrawn refund and its successor are sent', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.0095);
  await shop.createPaidOrder(await shop.createBuyer(), 0.0125);
  await shop.confirmAddress(buyer, id, testKey().address);
  const first = await shop.createRefund(id);
  await shop.post(`/refunds/${textAt(first, 'id')}/withdraw`);
  await shop.confirmAddress(buyer, id, testKey().address);
  // Both would spend the same coins, so the merchant pays the second one from another wallet.
  const second = await shop.createRefund(id, { from: 'any-wallet' });
  await shop.toNetwork(shop.sign(first).raw);
  await shop.syncChain();
  assert.equal(await shop.readTask(id), 'refund-superseded');
  // A later payment covers part of the double refund.
  await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.0001 });
  const donor = await shop.createOverpaidOrder(testKey().address);
  const wallet = shop.payElsewhere(await shop.createRefund(donor.id), textAt(second, 'address'), 0.0005);
  await shop.toNetwork(wallet.raw);
  await shop.mine(2);
  const states = (await shop.listStates(id)).map(([state]) => state);
  const taskKind = await shop.readTask(id);
  assert.deepEqual([states, taskKind], [['confirmed', 'confirmed'], 'refunded-twice']);
  assert.equal(numberAt(await shop.readRefunds(id), 'paid_twice_btc'), 0.0004);
  const support = { name: 'support', email: 'support@shop.example', token: '' };
  await waitForMailTo(support, /Refunded twice/);
  assert.equal((await writeOff(id, 'paid-twice')).status, 201);
  assert.equal(readErrorCode(await writeOff(id, 'paid-twice')), '409 not-paid-twice');
  assert.notEqual(await shop.readTask(id), 'refunded-twice');
});

test('[OPS-25] writes off unclaimed money after the period; an address reopens it', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createCancelledPaidOrder(buyer, 0.009);
  assert.equal(readErrorCode(await writeOff(id)), '409 too-early');
  await passDays(1.01);
  const responses = await Promise.all([writeOff(id), writeOff(id), writeOff(id)]);
  assert.deepEqual(
    responses.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 409, 409],
  );
  assert.deepEqual(await shop.order(buyer, id), { status: 'cancelled', state: 'written_off' });
  assert.equal(await shop.readTask(id), null);
  assert.ok(!(await listTaskIds()).includes(id));
  await waitForMailTo(buyer, / not claimed/);
  assert.equal(readErrorCode(await shop.post(`/orders/${id}/settle`, { reason: REASON })), '409 written-off');
  assert.equal(readErrorCode(await shop.requestRefund(id, { covers: 'whole' })), '409 nothing-to-refund');

  const { address } = testKey();
  await shop.confirmAddress(buyer, id, address);
  assert.equal(await shop.readTask(id), 'claimed');
  assert.deepEqual(await shop.order(buyer, id), { status: 'cancelled', state: 'written_off' });
  const refund = await shop.createRefund(id, { covers: 'whole', fee_paid_by: 'buyer' });
  assert.equal(
    (await shop.post(`/refunds/${textAt(refund, 'id')}/broadcast`, { psbt: shop.sign(refund).psbt })).status,
    200,
  );
  await shop.mine(2);
  assert.deepEqual(await shop.order(buyer, id), { status: 'refunded', state: 'refunded' });
  assert.equal(await shop.readTask(id), null);
  const [entry] = listAt(await shop.readRefunds(id), 'write_offs');
  assert.notEqual(valueAt(entry, 'reopened_at'), null);
});

test('[OPS-25] a partly paid, expired order is written off and never requoted', async () => {
  const buyer = await shop.createBuyer();
  const { body } = await shop.checkout(buyer);
  const id = textAt(body, 'order', 'id');
  await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.004 });
  await shop.mine(2);
  await passDays(0.1);
  assert.equal(await shop.readTask(id), 'underpaid-over');
  await passDays(1.01);
  assert.equal((await writeOff(id)).status, 201);
  assert.equal(await shop.readTask(id), null);
  assert.equal(readErrorCode(await shop.post(`/orders/${id}/requote`, {}, buyer.token)), '409 written-off');
  // A further payment needs staff.
  await shop.callDemoTool('pay', { order_id: id, amount_btc: 0.001 });
  await shop.mine(2);
  assert.equal(await shop.readTask(id), 'paid-after-write-off');
  await waitForMailTo(buyer, /after it was closed/);
});

test('[OPS-25] writes off an unclaimed surplus; the order stays paid', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.0095);
  assert.equal(await shop.readTask(id), 'surplus');
  await passDays(1.01);
  assert.equal((await writeOff(id)).status, 201);
  assert.deepEqual(await shop.order(buyer, id), { status: 'paid', state: 'paid' });
  assert.equal(await shop.readTask(id), null);
  const { body } = await shop.shop.api('GET', `/orders/${id}`, { token: buyer.token });
  assert.equal(numberAt(body, 'order', 'payment', 'returned_btc'), 0, 'nothing went back');
});

test('[PAY-13] an address entered by staff counts after three days without objection', async () => {
  const [buyer, other] = [await shop.createBuyer(), await shop.createBuyer()];
  const id = await shop.createCancelledPaidOrder(buyer, 0.009);
  const objected = await shop.createCancelledPaidOrder(other, 0.009);
  const { address } = testKey();
  assert.equal((await enterAddress(id, address)).status, 200);
  assert.equal((await enterAddress(objected, testKey().address)).status, 200);
  await waitForMailTo(buyer, new RegExp(`[Ww]e entered this refund address[\\s\\S]*${address}`));
  assert.equal(readErrorCode(await shop.requestRefund(id, { covers: 'whole' })), '409 address-waits');
  await shop.nameAddress(other, objected, testKey().address);
  await passDays(3.01);
  assert.equal(readErrorCode(await shop.requestRefund(objected, { covers: 'whole' })), '409 address-not-confirmed');
  assert.equal(readErrorCode(await writeOff(id)), '409 address-known');
  const refund = await shop.createRefund(id, { covers: 'whole', fee_paid_by: 'buyer' });
  assert.equal(textAt(refund, 'address'), address);
  const { body } = await shop.shop.api('GET', `/support/orders/${id}`, { token: shop.staff });
  const event = listAt(body, 'timeline').find((one) => textAt(one, 'kind') === 'refund_address_entered');
  assert.deepEqual([textAt(event, 'note'), textAt(event, 'by')], [REASON, 'staff']);
});

test('[PAY-13] staff do not change an address that the buyer has confirmed', async () => {
  const { buyer, id } = await shop.createOverpaidOrder(testKey().address);
  assert.equal(readErrorCode(await enterAddress(id, testKey().address)), '409 address-confirmed');
  assert.equal(readErrorCode(await shop.post(`/orders/${id}/refund-address/enter`, {}, buyer.token)), '403 forbidden');
});

test('[PAY-13] refuses the shop’s own issued, future and change addresses', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createCancelledPaidOrder(buyer, 0.009);
  const next = await runWithShopDatabase(shop.shop, async (db) => {
    const { rows } = await sql<{ next: number }>`select max(next_index) as next from wallets`.execute(db);
    return rows[0]?.next ?? 0;
  });
  const { body } = await shop.shop.api('GET', `/support/orders/${id}`, { token: shop.staff });
  const paidTo = textAt(body, 'address', 'address');
  const change = shop.changeAddress(3);
  for (const address of [paidTo, shop.account.deriveAddress(next + 5).address, change]) {
    const named = await shop.shop.api('PUT', `/orders/${id}/refund-address`, { token: buyer.token, body: { address } });
    assert.equal(readErrorCode(named), '400 invalid-address', address);
    assert.equal(readErrorCode(await enterAddress(id, address)), '400 invalid-address');
    assert.equal(readErrorCode(await recordElsewhere(id, { address })), '400 invalid-address');
  }
});

test('[PAY-14] orders older than a restore need a wallet check before refunds', async () => {
  const { id } = await shop.createOverpaidOrder(testKey().address);
  await runWithShopDatabase(shop.shop, (db) =>
    sql`insert into restores (restored_at, backup_at) select max(created_at), max(created_at) from orders`.execute(db),
  );
  assert.notEqual(valueAt(await shop.readRefunds(id), 'may_be_forgotten'), null);
  assert.equal(readErrorCode(await shop.requestRefund(id)), '409 check-wallet');
  assert.equal((await shop.requestRefund(id, { checked: true })).status, 201);
  await passDays(0.01);
  const { id: newer } = await shop.createOverpaidOrder(testKey().address);
  assert.equal(valueAt(await shop.readRefunds(newer), 'may_be_forgotten'), null);
  assert.equal((await shop.requestRefund(newer)).status, 201);
});
