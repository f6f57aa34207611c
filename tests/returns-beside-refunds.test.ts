/** Returns of orders that other refunds took from, and gave back: what is owed, and what can be shipped, is right. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testKey } from './support/devchain.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';
import { openReturns } from './support/returns.ts';
import type { ReturnCalls } from './support/returns.ts';
import { waitUntil } from './support/wait-until.ts';

/** Deeper than the blocks on the payment. */
const DEPTH = 7;

let shop: RefundShop;
let calls: ReturnCalls;
before(async () => {
  shop = await openRefundShop();
  calls = openReturns(shop);
});
after(() => shop.shop.stop());

const readState = async (returnId: string) => textAt(await calls.read(returnId), 'return', 'state');
const listActions = async (returnId: string) => listAt(await calls.read(returnId), 'return', 'actions');

/** Records a refund that was sent without the shop; returns its id. */
async function recordElsewhere(orderId: string, byte: string, refund: object): Promise<string> {
  const sent = { txid: byte.repeat(32), address: testKey().address, reason: 'By hand', ...refund };
  const { body, status } = await shop.post(`/orders/${orderId}/refunds/elsewhere`, sent);
  assert.equal(status, 201, JSON.stringify(body));
  return textAt(body, 'refund', 'id');
}

async function undo(refundId: string): Promise<void> {
  const { body, status } = await shop.post(`/refunds/${refundId}/undo-record`, { reason: 'Another order' });
  assert.equal(status, 200, JSON.stringify(body));
}

test('[RET-06] a withdrawal goes on once its payment is back, after an undone refund', async () => {
  const { buyer, id } = await calls.createPaidOrder(1);
  const returnId = await calls.withdraw(buyer, id);
  const price = numberAt(await calls.read(returnId), 'refund', 'value_usd');
  // A refund takes all but ten cents, which no wallet sends.
  const all = { covers: 'amount', amount_usd: (Math.round(price * 100) - 10) / 100 };
  const taken = await recordElsewhere(id, 'e1', all);
  const closed = await calls.step(returnId, 'close', { reason: 'Refunded already' });
  assert.equal(textAt(closed.body, 'return', 'outcome'), 'too-little', JSON.stringify(closed.body));
  await shop.callDemoTool('reorg', { depth: DEPTH });
  assert.notEqual((await shop.order(buyer, id)).status, 'paid');
  await undo(taken);
  assert.equal(await readState(returnId), 'closed', 'nothing is there to refund');
  await shop.mine(DEPTH);
  assert.equal((await shop.order(buyer, id)).status, 'paid');
  assert.equal(await readState(returnId), 'approved');
  assert.deepEqual(await listActions(returnId), ['refund', 'void']);
  const { kinds } = await shop.readTimeline(buyer, id);
  assert.equal(kinds.filter((kind) => kind === 'return_reopened').length, 1);
  await waitUntil(async () =>
    (await shop.listMailsTo(buyer)).some((mail) => /Return R-.*: open again[^]*owed to you/.test(mail)),
  );
  assert.equal((await calls.step(returnId, 'refund', calls.anyWallet)).status, 200);
});

test('[RET-02] [RET-04] an undone refund stops no unit that another one paid for', async () => {
  const { buyer, id } = await calls.createPaidOrder(3);
  const readUnits = async () => {
    const { body } = await shop.shop.api('GET', `/support/fulfilment?ids=${id}`, { token: shop.staff });
    const line = valueAt(body, 'orders', 0, 'lines', 0);
    return [numberAt(line, 'refunded_unshipped_quantity'), numberAt(line, 'withdrawn_quantity')];
  };
  const unit = { units: [{ position: 0, shipped: false, quantity: 1 }], shipping: false, restock: true, reason: 'One' };
  const refund = { covers: 'lines', lines: unit };
  const first = await recordElsewhere(id, 'e2', refund);
  const returnId = await calls.withdraw(buyer, id, 1);
  assert.deepEqual(await readUnits(), [1, 1]);
  const second = await recordElsewhere(id, 'e3', refund);
  assert.deepEqual(await readUnits(), [2, 0], 'the second refund pays for the withdrawn unit');
  await undo(first);
  assert.deepEqual(await readUnits(), [1, 0], 'the withdrawn unit is paid for');
  assert.deepEqual(await listActions(returnId), ['close']);
  await undo(second);
  assert.deepEqual(await readUnits(), [0, 1], 'the withdrawal stops its unit');
  assert.deepEqual(await listActions(returnId), ['refund', 'void']);
  await recordElsewhere(id, 'e4', refund);
  assert.equal((await shop.post(`/orders/${id}/ship`, {})).status, 200);
  const { body } = await shop.shop.api('GET', `/support/fulfilment?ids=${id}`, { token: shop.staff });
  assert.equal(numberAt(body, 'orders', 0, 'lines', 0, 'shipped_quantity'), 2);
});

test('[RET-07] a deduction above what other refunds left is made smaller by a new inspection', async () => {
  const { buyer, id } = await calls.createShippedOrder(2);
  const returnId = textAt((await calls.request(buyer, id, 2)).body, 'return', 'id');
  const units = { restocked: 2, damaged: 0, sent_back: 0, condition: '' };
  const inspected = { ...units, deduction_usd: 1500, deduction_reason: 'Scratched' };
  await calls.receiveAndInspect(returnId, 2, inspected);
  const lines = {
    units: [{ position: 0, shipped: true, quantity: 1 }],
    shipping: false,
    restock: false,
    reason: 'Desk',
  };
  const byHand = await shop.post(`/orders/${id}/refunds`, { covers: 'lines', lines, ...calls.anyWallet });
  assert.equal(byHand.status, 201, JSON.stringify(byHand.body));
  const recorded = await shop.post(`/refunds/${textAt(byHand.body, 'refund', 'id')}/record`, { txid: 'd3'.repeat(32) });
  assert.equal(recorded.status, 200, JSON.stringify(recorded.body));
  const shown = await calls.read(returnId);
  assert.equal(textAt(shown, 'refund', 'refused'), 'deduction-too-large');
  assert.ok(listAt(shown, 'return', 'actions').includes('inspect'));
  const refused = await calls.step(returnId, 'refund', calls.anyWallet);
  assert.equal(textAt(refused.body, 'error', 'code'), 'deduction-too-large');
  const smaller = { position: 0, ...inspected, deduction_usd: 500 };
  const again = await calls.step(returnId, 'inspect', { lines: [smaller] });
  assert.equal(numberAt(again.body, 'refund', 'value_usd'), 499, JSON.stringify(again.body));
  assert.equal((await calls.step(returnId, 'refund', calls.anyWallet)).status, 200);
});
