/** Orders over HTTP, on the real shop with its devchain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const billing = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  region: 'Europe',
  country: 'GB',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4AA',
};

let shop: TestShop;
let productId: string;
before(async () => {
  shop = await startTestShop();
  productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
after(() => shop.stop());

let buyers = 0;
async function createBuyer(): Promise<string> {
  buyers += 1;
  const username = `buyer${buyers}`;
  const password = 'a long enough password';
  const body = { username, email: `${username}@example.com`, password };
  assert.equal((await shop.api('POST', '/users/register', { body })).status, 201);
  const signedIn = await shop.api('POST', '/users/login', { body: { username, password } });
  return textAt(signedIn.body, 'tokens', 'accessToken');
}
async function createBuyerWithCart(): Promise<string> {
  const token = await createBuyer();
  const added = await shop.api('POST', '/cart/add', { token, body: { product_id: productId, quantity: 1 } });
  assert.equal(added.status, 200);
  return token;
}
const checkout = (token: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  shop.api('POST', '/cart/checkout', { token, body: billing, headers });
const readErrorCode = ({ body }: ApiResponse): string => textAt(body, 'error', 'code');

async function orderNow(token: string, id: string): Promise<{ status: string; state: string; body: unknown }> {
  const { body } = await shop.api('GET', `/orders/${id}`, { token });
  return { status: textAt(body, 'order', 'payment_status'), state: textAt(body, 'order', 'payment', 'state'), body };
}
async function callDemoTool(path: string, body: unknown): Promise<unknown> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

test('[API-06] [API-07] [API-11] [PAY-04] [PAY-07] only the chain makes an order paid', async () => {
  const token = await createBuyerWithCart();
  assert.equal((await shop.api('GET', '/wallet', { token })).status, 404);
  const response = await checkout(token);
  assert.equal(response.status, 201);
  const id = textAt(response.body, 'order', 'id');
  const address = textAt(response.body, 'order', 'payment', 'address');
  assert.match(address, /^bcrt1q/);
  assert.deepEqual((await shop.api('GET', '/wallet', { token })).body, { wallet_address: address });
  assert.deepEqual((await shop.api('GET', '/orders', { token })).body, response.body);
  assert.equal(listAt((await shop.api('GET', '/cart', { token })).body, 'cart_items').length, 0);

  const userPaid = await shop.api('PUT', '/orders/paid', { token, body: { order_id: id } });
  assert.equal(textAt(userPaid.body, 'order', 'payment_status'), 'user_paid');
  const unpaid = await shop.api('GET', `/payments/check/${id}`, { token });
  assert.deepEqual([valueAt(unpaid.body, 'success'), valueAt(unpaid.body, 'isPaid')], [true, false]);

  await callDemoTool('pay', { order_id: id });
  assert.equal((await orderNow(token, id)).state, 'seen');
  const needed = numberAt(response.body, 'order', 'payment', 'required_confirmations');
  await callDemoTool('mine', { blocks: needed });
  const { body } = await shop.api('GET', `/payments/check/${id}`, { token });
  assert.deepEqual([valueAt(body, 'success'), valueAt(body, 'isPaid')], [true, true]);
  assert.equal(textAt(body, 'payment', 'state'), 'paid');
  assert.equal(numberAt(body, 'payment', 'confirmations'), needed);
  assert.equal(valueAt(body, 'payment', 'bip21'), null);
  assert.equal((await orderNow(token, id)).status, 'paid');
  assert.equal(textAt((await shop.api('GET', '/orders', { token })).body, 'order', 'id'), id);
  assert.equal(listAt((await shop.api('POST', '/orders/history', { token })).body, 'orders').length, 1);
});

test('[API-06] 20 concurrent checkouts create one order; one Idempotency-Key repeats it', async () => {
  const token = await createBuyerWithCart();
  const responses = await Promise.all(Array.from({ length: 20 }, () => checkout(token)));
  assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  assert.equal(
    responses.filter((response) => response.status === 409 && readErrorCode(response) === 'order-open').length,
    19,
  );

  const keyed = await createBuyerWithCart();
  const same = await Promise.all(Array.from({ length: 20 }, () => checkout(keyed, { 'idempotency-key': 'k1' })));
  assert.deepEqual([...new Set(same.map(({ status }) => status))], [201]);
  assert.equal(new Set(same.map(({ body }) => JSON.stringify(body))).size, 1);
  const other = { ...billing, city: 'Leeds' };
  const reused = await shop.api('POST', '/cart/checkout', {
    token: keyed,
    body: other,
    headers: { 'idempotency-key': 'k1' },
  });
  assert.deepEqual([reused.status, readErrorCode(reused)], [422, 'idempotency-key-reused']);
  const long = await checkout(keyed, { 'idempotency-key': 'k'.repeat(256) });
  assert.equal(long.status, 400);
});

test('[API-00] [BILL-02] refuses guests, empty carts, wrong countries and foreign orders', async () => {
  const guest = await shop.api('POST', '/cart/checkout', { body: billing });
  assert.equal(guest.status, 401);
  const token = await createBuyer();
  const empty = await checkout(token);
  assert.deepEqual([empty.status, readErrorCode(empty)], [400, 'empty-cart']);
  const elsewhere = await shop.api('POST', '/cart/checkout', { token, body: { ...billing, country: 'JP' } });
  assert.equal(elsewhere.status, 400);
  assert.ok(textAt(elsewhere.body, 'error', 'fields', 'country'));

  const id = textAt((await checkout(await createBuyerWithCart())).body, 'order', 'id');
  const missing = '019a0000-0000-7000-8000-000000000000';
  const sendCalls = (asked: string): Promise<ApiResponse>[] => [
    shop.api('GET', `/orders/${asked}`, { token }),
    shop.api('GET', `/payments/check/${asked}`, { token }),
    shop.api('PUT', '/orders/paid', { token, body: { order_id: asked } }),
  ];
  const [foreign, absent] = [await Promise.all(sendCalls(id)), await Promise.all(sendCalls(missing))];
  for (const [index, response] of foreign.entries()) {
    assert.equal(response.status, 404);
    assert.deepEqual(response.body, absent[index]?.body);
  }
});

test('[PAY-12] a reorganisation undoes paid; confirming again restores it', async () => {
  const token = await createBuyerWithCart();
  const response = await checkout(token);
  const id = textAt(response.body, 'order', 'id');
  const needed = numberAt(response.body, 'order', 'payment', 'required_confirmations');
  await callDemoTool('pay', { order_id: id });
  await callDemoTool('mine', { blocks: needed });
  assert.equal((await orderNow(token, id)).status, 'paid');
  await callDemoTool('reorg', { depth: needed });
  const reorganised = await orderNow(token, id);
  assert.deepEqual([reorganised.status, reorganised.state], ['user_paid', 'reorged_out']);
  // Errors are always logged; output may arrive after the response.
  await waitUntil(() => shop.readOutput().includes('is no longer paid'));
  await callDemoTool('mine', { blocks: needed });
  assert.equal((await orderNow(token, id)).status, 'paid');
});

test('[PAY-10] expires an order and accepts its late payment at an unchanged rate', async () => {
  const token = await createBuyerWithCart();
  const response = await checkout(token);
  const id = textAt(response.body, 'order', 'id');
  const needed = numberAt(response.body, 'order', 'payment', 'required_confirmations');
  await callDemoTool('clock', { offset_s: 7100 });
  assert.equal((await orderNow(token, id)).status, 'pending');
  await callDemoTool('clock', { offset_s: 7300 });
  assert.equal((await orderNow(token, id)).status, 'expired');
  await callDemoTool('pay', { order_id: id });
  assert.equal((await orderNow(token, id)).state, 'late');
  await callDemoTool('mine', { blocks: needed });
  assert.equal((await orderNow(token, id)).status, 'paid');
  await callDemoTool('clock', { offset_s: 0 });
});

test('[BILL-06] refuses a postcode of no form and a phone that is none, by field', async () => {
  const token = await createBuyerWithCart();
  const send = (fields: object) =>
    shop.api('POST', '/cart/checkout', { token, body: { ...billing, country: 'DE', postcode: '10115', ...fields } });
  for (const [fields, name] of [
    [{ postcode: '-' }, 'postcode'],
    [{ postcode: 'W8 4AA' }, 'postcode'],
    [{ phone: 'abc' }, 'phone'],
  ] as const) {
    const refused = await send(fields);
    assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [400, name]);
    assert.match(textAt(refused.body, 'error', 'fields', name), /^is not a /);
  }
  const away = await send({ region: 'Asia', country: 'HK', postcode: '-', houseNumber: '-', phone: ' ' });
  assert.equal(away.status, 201, JSON.stringify(away.body));
});
