/** Orders over HTTP as the buyer reads them: open order, newest order, history, timeline, link. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const ABSENT = '0'.repeat(64);

let shop: TestShop;
let productId: string;
before(async () => {
  shop = await startTestShop();
  productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
afterEach(() => callDemoTool('clock', { offset_s: 0 }));
after(() => shop.stop());

let buyers = 0;
const createBuyer = (): Promise<string> => createStockBuyer(shop, `reader-${(buyers += 1)}`, productId);
const get = (token: string, path: string): Promise<ApiResponse> => shop.api('GET', path, { token });
const readBody = ({ status, body }: ApiResponse, expected = 200): unknown => {
  assert.equal(status, expected, JSON.stringify(body));
  return body;
};
async function callDemoTool(path: string, body: unknown): Promise<unknown> {
  return readBody(await shop.api('POST', `/dev/${path}`, { body }));
}
const fillCart = (token: string): Promise<ApiResponse> =>
  shop.api('POST', '/cart/add', { token, body: { product_id: productId, quantity: 1 } });
const checkout = (token: string, body: object = BILLING, key?: string): Promise<ApiResponse> =>
  shop.api('POST', '/cart/checkout', {
    token,
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const placeOrder = async (token: string): Promise<unknown> => valueAt(readBody(await checkout(token), 201), 'order');
/** The order id of GET /orders; null for none. */
async function readOpenOrderId(token: string): Promise<string | null> {
  const order = valueAt(readBody(await get(token, '/orders')), 'order');
  return order === null ? null : textAt(order, 'id');
}

test('[API-06] GET /orders returns the open order, else a recent one', async () => {
  const token = await createBuyer();
  assert.equal(await readOpenOrderId(token), null);
  const id = textAt(await placeOrder(token), 'id');
  assert.equal(await readOpenOrderId(token), id);
  readBody(await shop.api('PUT', '/orders/paid', { token, body: { order_id: id } }));
  assert.equal(await readOpenOrderId(token), id, 'user_paid is open too');
  await callDemoTool('pay', { order_id: id });
  await callDemoTool('mine', { blocks: 6 });
  assert.equal(await readOpenOrderId(token), id, 'paid a moment ago');
  await fillCart(token);
  assert.equal(await readOpenOrderId(token), null, 'a filled cart hides a paid order');
  await shop.api('DELETE', '/cart/remove', { token, body: { product_id: productId } });
  await callDemoTool('clock', { offset_s: DAY_S - 60 });
  assert.equal(await readOpenOrderId(token), id);
  await callDemoTool('clock', { offset_s: DAY_S + 60 });
  assert.equal(await readOpenOrderId(token), null);

  await callDemoTool('clock', { offset_s: 0 });
  await fillCart(token);
  const expired = textAt(await placeOrder(token), 'id');
  await callDemoTool('clock', { offset_s: 2 * HOUR_S + 60 });
  assert.equal(await readOpenOrderId(token), expired);
  assert.equal(textAt(readBody(await get(token, `/orders/${expired}`)), 'order', 'payment_status'), 'expired');
  await callDemoTool('clock', { offset_s: 7 * DAY_S });
  assert.equal(await readOpenOrderId(token), expired);
  await callDemoTool('clock', { offset_s: 7 * DAY_S + 3 * HOUR_S });
  assert.equal(await readOpenOrderId(token), null);
  const history = readBody(await shop.api('POST', '/orders/history', { token }));
  assert.deepEqual(
    listAt(history, 'orders').map((order) => textAt(order, 'id')),
    [expired, id],
    'newest first',
  );
});

test('[API-06] refuses a checkout with 409 while an order is open', async () => {
  const token = await createBuyer();
  const placedBody = readBody(await checkout(token, BILLING, 'first'), 201);
  await fillCart(token);
  const cart = readBody(await get(token, '/cart'));
  for (const key of [undefined, 'second']) {
    const refused = await checkout(token, BILLING, key);
    assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [409, 'order-open']);
  }
  assert.deepEqual(readBody(await get(token, '/cart')), cart);
  assert.deepEqual(readBody(await get(token, '/orders')), placedBody);
  assert.deepEqual(
    readBody(await checkout(token, BILLING, 'first'), 201),
    placedBody,
    'a repeat does not check out again',
  );
  const other = await checkout(token, { ...BILLING, note: 'Ring twice' }, 'first');
  assert.deepEqual([other.status, textAt(other.body, 'error', 'code')], [422, 'idempotency-key-reused']);
  readBody(await shop.api('POST', `/orders/${textAt(placedBody, 'order', 'id')}/cancel`, { token }));
  readBody(await checkout(token, BILLING, 'second'), 201);
});

test('[BILL-01] [BILL-04] requires eight billing fields and offers the last ones again', async () => {
  const token = await createBuyer();
  assert.deepEqual(readBody(await get(token, '/orders/billing')), { billing: null });
  for (const field of Object.keys(BILLING)) {
    for (const wrong of ['', '   ', 'x'.repeat(101)]) {
      const refused = await checkout(token, { ...BILLING, [field]: wrong });
      assert.equal(refused.status, 400, field);
      assert.ok(keysAt(refused.body, 'error', 'fields').includes(field), field);
    }
    const { [field]: _, ...rest } = { ...BILLING } as Record<string, string>;
    assert.equal((await checkout(token, rest)).status, 400, `without ${field}`);
  }
  const billing = { ...BILLING, phone: ' +44 20 7946 0000 ', note: '  ' };
  const placedBody = readBody(await checkout(token, billing), 201);
  const normalised = { ...BILLING, phone: '+44 20 7946 0000' };
  assert.deepEqual(valueAt(placedBody, 'order', 'billing'), normalised);
  assert.deepEqual(readBody(await get(token, '/orders/billing')), { billing: normalised });
});

test('[DASH-04] the timeline lists events and lost payments, oldest first', async () => {
  const token = await createBuyer();
  const order = await placeOrder(token);
  const [id, due] = [textAt(order, 'id'), numberAt(order, 'payment', 'amount_btc')];
  const readTimeline = async (): Promise<unknown> => readBody(await get(token, `/orders/${id}/timeline`));
  const listKinds = async (): Promise<string[]> =>
    listAt(await readTimeline(), 'timeline').map((turn) => textAt(turn, 'kind'));
  assert.deepEqual(await listKinds(), ['created']);
  const txid = textAt(await callDemoTool('pay', { order_id: id }), 'txid');
  await callDemoTool('replace', { txid });
  await callDemoTool('pay', { order_id: id });
  await callDemoTool('mine', { blocks: 6 });
  // The shop may or may not have synced between two blocks.
  const turns = (await listKinds()).filter((kind) => kind !== 'confirming');
  assert.deepEqual(turns, ['created', 'payment_seen', 'replaced', 'payment_seen', 'paid']);
  const timelineBody = await readTimeline();
  const [first, ...rest] = listAt(timelineBody, 'timeline');
  assert.deepEqual(
    [textAt(first, 'text'), numberAt(first, 'due_btc'), valueAt(first, 'received_btc')],
    ['Order placed', due, null],
  );
  assert.equal(numberAt(rest.at(-1), 'received_btc'), due);
  const times = listAt(timelineBody, 'timeline').map((turn) => Date.parse(textAt(turn, 'at')));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  const [left, ...others] = listAt(timelineBody, 'left_payments');
  assert.deepEqual([textAt(left, 'txid'), textAt(left, 'because'), others], [txid, 'replaced', []]);
  assert.equal(numberAt(timelineBody, 'rate_usd'), 111_000);
  const [transaction] = listAt(readBody(await get(token, `/orders/${id}`)), 'order', 'payment', 'transactions');
  assert.notEqual(textAt(transaction, 'txid'), txid);

  const stranger = await createBuyer();
  const [foreign, missing] = await Promise.all(
    [id, '019a0000-0000-7000-8000-000000000000'].map((asked) => get(stranger, `/orders/${asked}/timeline`)),
  );
  assert.deepEqual([foreign?.status, foreign?.body], [404, missing?.body]);
});

test('[PAY-08] the payment link shows the amount due and no name', async () => {
  const [token, other] = [await createBuyer(), await createBuyer()];
  const order = await placeOrder(token);
  const id = textAt(order, 'id');
  const path = textAt(readBody(await get(token, `/orders/${id}/timeline`)), 'pay_path');
  const otherId = textAt(await placeOrder(other), 'id');
  const otherPath = textAt(readBody(await get(other, `/orders/${otherId}/timeline`)), 'pay_path');
  assert.match(path, /^\/pay\/[0-9a-f]{64}$/);
  assert.notEqual(path, otherPath);

  const open = await shop.api('GET', path);
  assert.deepEqual(readBody(open), {
    number: textAt(order, 'number'),
    payment_status: 'pending',
    expires_at: textAt(order, 'expires_at'),
    total_usd: numberAt(order, 'total_usd_after'),
    rate_usd: 111_000,
    window_started_at: textAt(order, 'created_at'),
    missing_btc: numberAt(order, 'payment', 'amount_btc'),
    next_quote: null,
    requote_refusal: null,
    late_because: null,
    payment: valueAt(order, 'payment'),
  });
  assert.deepEqual(
    [open.headers.get('cache-control'), open.headers.get('referrer-policy')],
    ['no-store', 'no-referrer'],
  );
  const text = JSON.stringify(open.body);
  for (const mark of [...Object.values(BILLING).filter((word) => word.length > 2), id, 'reader-', 'stock.example']) {
    assert.ok(!text.includes(mark), mark);
  }
  const due = numberAt(order, 'payment', 'amount_btc');
  const part = Math.round((due / 4) * 1e8) / 1e8;
  await callDemoTool('pay', { order_id: id, amount_btc: part });
  const underpaid = readBody(await shop.api('GET', path));
  assert.equal(textAt(underpaid, 'payment', 'state'), 'underpaid');
  assert.equal(Math.round(numberAt(underpaid, 'missing_btc') * 1e8), Math.round((due - part) * 1e8));
  await callDemoTool('pay', { order_id: id });
  await callDemoTool('mine', { blocks: 6 });
  const paid = readBody(await shop.api('GET', path));
  assert.deepEqual(
    [valueAt(paid, 'payment_status'), valueAt(paid, 'missing_btc'), valueAt(paid, 'payment', 'bip21')],
    ['paid', 0, null],
  );
  readBody(await shop.api('POST', `/orders/${otherId}/cancel`, { token: other }));
  const cancelled = readBody(await shop.api('GET', otherPath));
  assert.deepEqual([valueAt(cancelled, 'missing_btc'), valueAt(cancelled, 'payment', 'bip21')], [0, null]);
  for (const wrong of [ABSENT, 'x', path.slice(5, -1), `${path.slice(5)}0`, id, path.slice(5).toUpperCase()]) {
    const refused = await shop.api('GET', `/pay/${wrong}`);
    assert.deepEqual([refused.status, refused.body], [404, { error: { code: 'not-found', message: 'Not found' } }]);
  }
});
