/** Serial numbers of units that come back, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { logInAs } from './support/charge-settings.ts';
import { findFirstProduct } from './support/new-order.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { RefundShop } from './support/refund-shop.ts';
import { openReturns } from './support/returns.ts';
import type { ReturnCalls } from './support/returns.ts';
import { readErrorCode } from './support/support-fixtures.ts';

const CONDITION = { restocked: 0, damaged: 0, sent_back: 0, condition: '', deduction_usd: 0, deduction_reason: '' };
const record = z.record(z.string(), z.unknown());

let shop: RefundShop;
let calls: ReturnCalls;
before(async () => {
  shop = await openRefundShop();
  calls = openReturns(shop);
  await shop.setStock(90);
  await askFor('serial');
});
after(() => shop.shop.stop());

async function askFor(serialKind: string): Promise<void> {
  const token = await logInAs(shop.shop, 'owner');
  const id = await findFirstProduct(shop.shop);
  const { body } = await shop.shop.api('GET', `/catalogue/products/${id}`, { token });
  const content = { ...record.parse(valueAt(body, 'product', 'content')), serial_kind: serialKind };
  const version = numberAt(body, 'product', 'version');
  const changed = { version, publish: true, content };
  assert.equal((await shop.shop.api('PUT', `/catalogue/products/${id}`, { token, body: changed })).status, 200);
}

/** An approved return of all units of an order that was shipped with these numbers. */
async function createReturn(numbers: readonly string[]) {
  const { buyer, id } = await calls.createShippedOrder(numbers.length, numbers);
  return { buyer, orderId: id, returnId: await approve(buyer, id, numbers.length) };
}
async function approve(buyer: Parameters<ReturnCalls['request']>[0], orderId: string, units: number) {
  const requested = await calls.request(buyer, orderId, units);
  assert.equal(requested.status, 201, JSON.stringify(requested.body));
  const returnId = textAt(requested.body, 'return', 'id');
  assert.equal((await calls.step(returnId, 'approve')).status, 200);
  return returnId;
}
const receive = (id: string, serials: readonly string[], more: object = {}) =>
  calls.step(id, 'receive', { position: 0, serials, ...more });
const readField = (refused: { readonly body: unknown }): string => textAt(refused.body, 'error', 'fields', 'serials.0');
async function readLine(id: string) {
  const { body } = await shop.shop.api('GET', `/support/returns/${id}`, { token: shop.staff });
  return {
    received: numberAt(body, 'return', 'lines', 0, 'received'),
    serials: listAt(body, 'return', 'lines', 0, 'serials').map((one) => textAt(one, 'number')),
  };
}
const ship = (id: string, numbers: readonly string[]) =>
  shop.post(`/orders/${id}/ship`, { serials: [{ position: 0, numbers }] });

test('[RET-06] [OPS-29] a unit is received only by a number that was shipped with its line', async () => {
  const { returnId } = await createReturn(['SN-A1', 'SN-A2', 'SN-A3']);
  await calls.createShippedOrder(1, ['SN-OTHER']);
  for (const [numbers, expected] of [
    [['SN-OTHER'], /^SN-OTHER was not shipped with .+ of this order\.$/],
    [['SN-A1', 'nonsense'], /^nonsense was not shipped/],
    [['SN-A1', 'sn-a1'], /^sn-a1 is entered twice\.$/],
    [[], /Scan or enter the number of each unit/],
  ] as const) {
    const refused = await receive(returnId, numbers);
    assert.equal(readErrorCode(refused), '409 serial-numbers', JSON.stringify(numbers));
    assert.match(readField(refused), expected);
  }
  assert.equal(readErrorCode(await receive(returnId, ['\u0000'])), '400 invalid');
  assert.deepEqual(await readLine(returnId), { received: 0, serials: [] });

  // Pasted, in small letters; then scanned.
  assert.equal((await receive(returnId, ['sn-a2', 'SN-A1'])).status, 200);
  const sku = textAt(await calls.read(returnId), 'return', 'lines', 0, 'sku');
  assert.equal(readErrorCode(await calls.step(returnId, 'receive', { code: sku })), '409 serial-numbers');
  assert.equal(readErrorCode(await calls.step(returnId, 'receive', { code: 'SN-OTHER' })), '409 unknown-code');
  assert.equal((await calls.step(returnId, 'receive', { code: 'sn-a3' })).status, 200);
  assert.deepEqual(await readLine(returnId), { received: 3, serials: ['SN-A1', 'SN-A2', 'SN-A3'] });
});

test('[RET-06] [OPS-29] a number is received once, also by two people at once', async () => {
  const { buyer, orderId, returnId } = await createReturn(['SN-B1', 'SN-B2']);
  const version = numberAt(await calls.read(returnId), 'return', 'version');
  const body = { version, position: 0, serials: ['SN-B1'] };
  const pressed = await Promise.all([1, 2, 3].map(() => shop.post(`/support/returns/${returnId}/receive`, body)));
  assert.deepEqual(
    pressed.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 409, 409],
  );
  assert.match(readField(await receive(returnId, ['SN-B1'])), /^SN-B1 is counted already\.$/);
  assert.deepEqual(await readLine(returnId), { received: 1, serials: ['SN-B1'] });

  // The other unit comes with another return, without the first one.
  const inspected = { lines: [{ position: 0, ...CONDITION, restocked: 1 }] };
  assert.equal((await calls.step(returnId, 'inspect', inspected)).status, 200);
  assert.equal((await calls.step(returnId, 'refund', calls.anyWallet)).status, 200);
  const second = await approve(buyer, orderId, 1);
  assert.match(readField(await receive(second, ['SN-B1'])), /^SN-B1 is already returned\.$/);
  assert.equal((await receive(second, ['SN-B2'])).status, 200);
});

test('[RET-06] [OPS-29] a received number can be shipped again, and one that was taken back can not', async () => {
  const { returnId } = await createReturn(['SN-C1', 'SN-C2']);
  const next = await calls.createPaidOrder(1);
  assert.equal((await receive(returnId, ['SN-C1', 'SN-C2'])).status, 200);
  assert.equal(readErrorCode(await receive(returnId, [], { units: -1 })), '409 serial-numbers');
  assert.equal((await receive(returnId, ['sn-c1'], { units: -1 })).status, 200);
  assert.match(readField(await receive(returnId, ['SN-C1'], { units: -1 })), /is not counted/);
  assert.deepEqual(await readLine(returnId), { received: 1, serials: ['SN-C2'] });
  assert.match(readField(await ship(next.id, ['SN-C1'])), /is in another parcel/);
  assert.equal((await ship(next.id, ['SN-C2'])).status, 200);
  // It is with another buyer, so it can't be with this one.
  assert.match(readField(await receive(returnId, ['SN-C2'], { units: -1 })), /^SN-C2 is in another parcel/);
  const closed = await calls.step(returnId, 'close', { reason: 'Never arrived' });
  assert.match(readField(closed), /^SN-C2 is in another parcel/);
});

test('[RET-06] [OPS-29] the number of a unit that is sent back is with its buyer again', async () => {
  const { buyer, orderId, returnId } = await createReturn(['SN-D1', 'SN-D2']);
  assert.equal((await receive(returnId, ['SN-D1', 'SN-D2'])).status, 200);
  const line = { position: 0, ...CONDITION, restocked: 1, sent_back: 1 };
  for (const chosen of [[], ['SN-D1', 'SN-D2'], ['SN-D3']]) {
    const refused = await calls.step(returnId, 'inspect', { lines: [{ ...line, sent_back_serials: chosen }] });
    assert.match(readField(refused), /as many as are sent back/);
  }
  const inspected = await calls.step(returnId, 'inspect', { lines: [{ ...line, sent_back_serials: ['SN-D2'] }] });
  assert.deepEqual(valueAt(inspected.body, 'return', 'lines', 0, 'serials'), [
    { number: 'SN-D1', is_sent_back: false },
    { number: 'SN-D2', is_sent_back: true },
  ]);
  // As the page of its buyer shows it.
  const own = await shop.shop.api('GET', `/returns/${returnId}`, { token: buyer.token });
  assert.deepEqual(valueAt(own.body, 'return', 'lines', 0, 'serials'), [
    { number: 'SN-D1', is_sent_back: false },
    { number: 'SN-D2', is_sent_back: true },
  ]);
  const refunded = await calls.step(returnId, 'refund', calls.anyWallet);
  assert.equal(refunded.status, 200, JSON.stringify(refunded.body));
  const next = await calls.createPaidOrder(1);
  assert.match(readField(await ship(next.id, ['SN-D2'])), /is in another parcel/);
  assert.equal((await ship(next.id, ['SN-D1'])).status, 200);
  // It comes back once more, and the buyer keeps it without a refund.
  const second = await approve(buyer, orderId, 1);
  assert.equal((await receive(second, ['SN-D2'])).status, 200);
  assert.equal((await calls.step(second, 'close', { reason: 'Agreed by phone' })).status, 200);
  const third = await approve(buyer, orderId, 1);
  assert.equal((await receive(third, ['SN-D2'])).status, 200);
  assert.deepEqual(await readLine(returnId), { received: 2, serials: ['SN-D1', 'SN-D2'] });
});

test('[RET-06] [OPS-29] only units that were shipped without a number are received without one', async () => {
  await askFor('none');
  const { buyer, id } = await calls.createPaidOrder(2);
  const first = { number: 1, lines: [{ position: 0, quantity: 1 }] };
  assert.equal((await shop.post(`/orders/${id}/ship`, first)).status, 200);
  await askFor('serial');
  const second = { number: 2, serials: [{ position: 0, numbers: ['SN-E2'] }] };
  assert.equal((await shop.post(`/orders/${id}/ship`, second)).status, 200);
  const returnId = await approve(buyer, id, 2);
  assert.equal((await calls.step(returnId, 'receive', { position: 0 })).status, 200);
  assert.match(readField(await receive(returnId, [])), /Scan or enter the number/);
  assert.equal((await receive(returnId, ['SN-E2'])).status, 200);
  assert.deepEqual(await readLine(returnId), { received: 2, serials: ['SN-E2'] });
});
