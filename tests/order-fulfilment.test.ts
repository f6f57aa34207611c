/** The life of orders over HTTP, on the real shop with its devchain. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, setStock, readStock, stressStock } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let productId: string;
before(async () => {
  shop = await startTestShop();
  productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
beforeEach(() => setStock(shop, productId, 100));
after(() => shop.stop());

let buyers = 0;
const createBuyer = (): Promise<string> => createStockBuyer(shop, `buyer-${(buyers += 1)}`, productId);
const post = (token: string, path: string): Promise<ApiResponse> => shop.api('POST', path, { token });
const checkout = (token: string): Promise<ApiResponse> => shop.api('POST', '/cart/checkout', { token, body: BILLING });
const readErrorCode = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;
const readOrder = ({ status, body }: ApiResponse): unknown => {
  assert.equal(status, 200, JSON.stringify(body));
  return valueAt(body, 'order');
};
const readCartItems = async (token: string): Promise<readonly unknown[]> =>
  listAt((await shop.api('GET', '/cart', { token })).body, 'cart_items');

async function placeOrder(token: string): Promise<{ readonly id: string; readonly order: unknown }> {
  const { body, status } = await checkout(token);
  assert.equal(status, 201, JSON.stringify(body));
  return { id: textAt(body, 'order', 'id'), order: valueAt(body, 'order') };
}
async function callDemoTool(path: string, body: unknown): Promise<unknown> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
/** Two hours later; each test begins at real time again. */
async function expire(): Promise<void> {
  await callDemoTool('clock', { offset_s: 7300 });
}
afterEach(() => callDemoTool('clock', { offset_s: 0 }));

test('[API-06] [PAY-11] cancelling returns the lines to the cart; repeats change nothing', async () => {
  const token = await createBuyer();
  const { id, order } = await placeOrder(token);
  const { available } = await readStock(shop, productId);
  const cancelled = await post(token, `/orders/${id}/cancel`);
  assert.equal(valueAt(readOrder(cancelled), 'payment_status'), 'cancelled');
  assert.deepEqual(valueAt(readOrder(cancelled), 'order_items'), valueAt(order, 'order_items'));
  assert.deepEqual((await post(token, `/orders/${id}/cancel`)).body, cancelled.body);
  const items = await readCartItems(token);
  assert.deepEqual(
    items.map((item) => numberAt(item, 'quantity')),
    [1],
  );
  assert.equal((await readStock(shop, productId)).available, available + 1);
  assert.equal((await shop.api('GET', '/wallet', { token })).status, 404);
  const next = await placeOrder(token);
  assert.notEqual(next.id, id);
  readOrder(await post(token, `/orders/${next.id}/cancel`));
});

test('[PAY-11] refuses cancelling while paying; payments never pay a cancelled order', async () => {
  const token = await createBuyer();
  const { id } = await placeOrder(token);
  const txid = textAt(await callDemoTool('pay', { order_id: id, amount_btc: 0.0001 }), 'txid');
  assert.equal(readErrorCode(await post(token, `/orders/${id}/cancel`)), '409 payment-live');
  await callDemoTool('replace', { txid });
  assert.equal(valueAt(readOrder(await post(token, `/orders/${id}/cancel`)), 'payment_status'), 'cancelled');
  await callDemoTool('pay', { order_id: id });
  await callDemoTool('mine', { blocks: 6 });
  const { body } = await shop.api('GET', `/orders/${id}`, { token });
  assert.deepEqual(
    [textAt(body, 'order', 'payment_status'), textAt(body, 'order', 'payment', 'state')],
    ['cancelled', 'late'],
  );
  const check = await shop.api('GET', `/payments/check/${id}`, { token });
  assert.equal(valueAt(check.body, 'isPaid'), false);
});

test('[PAY-10] [PAY-11] pays an expired, underpaid order after a requote', async () => {
  const token = await createBuyer();
  const { id, order } = await placeOrder(token);
  assert.equal(readErrorCode(await post(token, `/orders/${id}/requote`)), '409 not-expired');
  const due = numberAt(order, 'payment', 'amount_btc');
  const part = Math.round((due / 3) * 1e8) / 1e8;
  await callDemoTool('pay', { order_id: id, amount_btc: part });
  const { available } = await readStock(shop, productId);
  await expire();
  assert.equal((await readStock(shop, productId)).available, available + 1);
  const quoted = readOrder(await post(token, `/orders/${id}/requote`));
  assert.equal((await readStock(shop, productId)).available, available);
  assert.equal(valueAt(quoted, 'payment_status'), 'pending');
  for (const same of [
    'id',
    'total_price_usd',
    'total_usd_after',
    'total_btc_after',
    'order_items',
    'created_at',
  ] as const) {
    assert.deepEqual(valueAt(quoted, same), valueAt(order, same));
  }
  assert.equal(textAt(quoted, 'payment', 'address'), textAt(order, 'payment', 'address'));
  // The rate is unchanged, so the amount due is too; a third of it is received.
  assert.equal(numberAt(quoted, 'payment', 'amount_btc'), due);
  assert.equal(numberAt(quoted, 'payment', 'received_btc'), part);
  assert.equal(textAt(quoted, 'payment', 'state'), 'underpaid');
  assert.ok(Date.parse(textAt(quoted, 'expires_at')) > Date.parse(textAt(order, 'expires_at')));
  const timeline = (await shop.api('GET', `/orders/${id}/timeline`, { token })).body;
  const windowMs = Date.parse(textAt(quoted, 'expires_at')) - Date.parse(textAt(timeline, 'window_started_at'));
  assert.equal(windowMs, 7_200_000, 'the window begins with the new quote');
  assert.equal(readErrorCode(await post(token, `/orders/${id}/requote`)), '409 not-expired');
  await callDemoTool('pay', { order_id: id });
  await callDemoTool('mine', { blocks: 6 });
  assert.equal(textAt((await shop.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment', 'state'), 'paid');
  assert.equal((await readStock(shop, productId)).available, available);
});

test('[PAY-11] refuses a requote while another order is open or sold out', async () => {
  const token = await createBuyer();
  const { id } = await placeOrder(token);
  await expire();
  await shop.api('POST', '/cart/add', { token, body: { product_id: productId, quantity: 1 } });
  const other = await placeOrder(token);
  assert.equal(readErrorCode(await post(token, `/orders/${id}/requote`)), '409 order-open');
  readOrder(await post(token, `/orders/${other.id}/cancel`));
  await setStock(shop, productId, 0);
  const refused = await post(token, `/orders/${id}/requote`);
  assert.equal(readErrorCode(refused), '409 sold-out');
  assert.match(textAt(refused.body, 'error', 'message'), /^.+ is sold out$/);
  assert.equal(textAt((await shop.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment_status'), 'expired');
  await setStock(shop, productId, 1);
  readOrder(await post(token, `/orders/${id}/requote`));
});

test('[PAY-10] accepts a late payment once sold-out stock is available', async () => {
  const token = await createBuyer();
  const { id } = await placeOrder(token);
  await expire();
  await setStock(shop, productId, 0);
  await callDemoTool('pay', { order_id: id });
  await callDemoTool('mine', { blocks: 6 });
  const readPaymentStatus = async (): Promise<string> =>
    textAt((await shop.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment_status');
  assert.equal(await readPaymentStatus(), 'expired');
  // Output may arrive after the response.
  await waitUntil(() => shop.readOutput().includes('late payment on hold'));
  await setStock(shop, productId, 1);
  // Every pass of chain sync evaluates it again.
  await expire();
  assert.equal(await readPaymentStatus(), 'paid');
  assert.equal((await readStock(shop, productId)).available, 0);
});

test('[PAY-13] stores a refund address for its owner and explains refusals', async () => {
  const [token, stranger] = [await createBuyer(), await createBuyer()];
  const { id, order } = await placeOrder(token);
  const path = `/orders/${id}/refund-address`;
  const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
  const put = (text: string, by = token): Promise<ApiResponse> =>
    shop.api('PUT', path, { token: by, body: { address: text } });
  assert.deepEqual((await shop.api('GET', path, { token })).body, {
    address: null,
    confirmed: false,
    holds_from: null,
  });
  for (const [wrong, words] of [
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', /belongs to the Bitcoin network\. Enter one of the test network/],
    ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081', /typing error/],
    [textAt(order, 'payment', 'address'), /Use one of your own wallet/],
  ] as const) {
    const refused = await put(wrong);
    assert.equal(readErrorCode(refused), '400 invalid-address');
    assert.match(textAt(refused.body, 'error', 'fields', 'address'), words);
  }
  assert.deepEqual(readOrder(await put(address)), order, 'the order does not contain it');
  assert.deepEqual((await shop.api('GET', path, { token })).body, { address, confirmed: false, holds_from: null });
  assert.equal((await put(address, stranger)).status, 404);
  assert.equal((await shop.api('GET', path, { token: stranger })).status, 404);
});

test('[API-06] concurrent checkouts sell exactly the stock and explain refusals', async () => {
  const { made, refused, left, fullCarts } = await stressStock(shop, 12, 2);
  assert.equal(made, 2);
  assert.deepEqual([...refused.values()], [10]);
  assert.match([...refused.keys()].join(), /^409 sold-out: .+ is sold out\. Remove it from your cart to continue$/);
  assert.equal(left.available, 0);
  assert.equal(fullCarts, 10);
});
