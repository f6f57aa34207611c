/** Requests that differ from the contract are refused and store nothing. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { shopApi } from '#src/shop/api.ts';
import { demoToolsApi } from '#src/shop/demo/contract.ts';
import type { Contract } from '#src/platform/http/endpoint.ts';
import './support/built-pages.ts';
import { ABSENT_ID } from './support/access-callers.ts';
import { isMerchantCall } from './support/merchant-calls.ts';
import { sendRawRequest, createJsonRequest } from './support/raw-call.ts';
import type { RawResponse } from './support/raw-call.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { BILLING } from './support/stress-buyer.ts';
import { VALID_BODIES } from './support/valid-bodies.ts';
import { assertResponse } from './support/assert-response.ts';

let shop: TestShop;
let token: string;
let product: string;
let staffToken: string;
before(async () => {
  shop = await startTestShop();
  const account = { username: 'strict', password: 'crypto-market' };
  await shop.api('POST', '/users/register', { body: { ...account, email: 'strict@shop.example' } });
  token = textAt((await shop.api('POST', '/users/login', { body: account })).body, 'tokens', 'accessToken');
  // An owner may call everything that staff may.
  const staff = { username: 'owner', password: 'crypto-market' };
  staffToken = textAt((await shop.api('POST', '/users/login', { body: staff })).body, 'tokens', 'accessToken');
  product = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
});
after(() => shop.stop());

async function call(method: string, path: string, body?: unknown, by = token): Promise<RawResponse> {
  const response = await sendRawRequest(shop.url, createJsonRequest(method, path, body, by));
  assertResponse(response, `${method} ${path} ${JSON.stringify(body)?.slice(0, 300)}`);
  return response;
}

/** Fields of a withdrawal that may be null. */
const NULLABLE: ReadonlySet<string> = new Set(['units', 'acknowledgement_email', 'reason']);

/** Calls of staff. */
const STAFFS: ReadonlySet<string> = new Set([
  'POST /orders/{id}/refunds',
  'POST /refunds/{id}/broadcast',
  'POST /refunds/{id}/record',
  'POST /refunds/{id}/undo-record',
  'POST /orders/{id}/refunds/elsewhere',
  'POST /orders/{id}/refund-address/enter',
  'POST /orders/{id}/write-offs',
  'POST /orders/{id}/ship',
  'PUT /orders/{id}/shipments/{number}',
  'PUT /orders/{id}/shipments/{number}/serials',
  'POST /orders/{id}/settle',
  'POST /orders/{id}/give-up',
  'POST /orders/{id}/close-as-loss',
  'POST /orders/{id}/release-stock',
  'POST /payments/rescans',
  'POST /second-factor/confirm',
  'POST /second-factor/verify',
  'POST /second-factor/verify-passkey',
  'POST /second-factor/passkeys',
  'POST /staff/invitations',
  'POST /api-keys',
  'POST /exports/backup',
  'POST /webhooks',
  'PUT /webhooks/{id}',
  'POST /second-factor/recovery-codes',
  'POST /second-factor/remove',
  'PUT /staff/role',
]);

const NO_TEXT = [1, 0, true, false, null, [], ['a'], {}, { a: 1 }, 1.5];
const BAD_TEXT = ['a\u0000b', '\u0000', '\ud800', 'a\udfffb', 'x'.repeat(5000)];
const NO_WHOLE_NUMBER = ['1', '', true, false, null, [], [1], {}, 0.5, 1e20, -1e20, 1e308, 2 ** 53, -(2 ** 31) * 100];
const NO_LIST = [
  '',
  'a',
  1,
  true,
  null,
  {},
  [1],
  [null],
  ['a'],
  [[ABSENT_ID]],
  Array.from({ length: 60 }, () => ABSENT_ID),
];

function createWrongValues(name: string, good: unknown): readonly unknown[] {
  if (name === 'psbt') return [...NO_TEXT, ...BAD_TEXT.slice(0, -1), 'no base64!', 'x'.repeat(1_000_001)];
  if (typeof good === 'string') return [...NO_TEXT, ...BAD_TEXT];
  // Serial numbers are texts of any kind: the reason of a wrong one is beside its field.
  if (name === 'numbers' || name === 'seen')
    return ['', 'a', 1, true, null, {}, [1], [null], [['a']], ['\u0000'], Array.from({ length: 100 }, () => 'a')];
  if (name === 'position') return [...NO_WHOLE_NUMBER, -1];
  if (Array.isArray(good)) return NO_LIST;
  if (name === 'amount_btc') return ['1', true, null, [], {}, -0.1, '0.01', [0.01], 1e308, 21_000_001];
  if (name === 'expected_total_usd') return ['1', true, null, [], {}, -0.1, '0.01', [0.01], 1e308];
  // Null: never.
  if (name === 'expires_in_days') return [...NO_WHOLE_NUMBER.filter((value) => value !== null), 0, -1, 3651];
  if (name === 'from_height') return [...NO_WHOLE_NUMBER, -1];
  return name === 'offset_s' ? NO_WHOLE_NUMBER : [...NO_WHOLE_NUMBER, 0, -1];
}

test('[API-00] every body field accepts only its own type', async () => {
  const contract: Contract = { ...shopApi, ...demoToolsApi };
  const withBody = Object.keys(contract).filter((key) =>
    Object.entries(contract).some(([one, { body }]) => one === key && body),
  );
  const expected = withBody.filter((key) => !isMerchantCall(key));
  assert.deepEqual(
    Object.keys(VALID_BODIES).toSorted(),
    expected.toSorted(),
    'every call with a body has a valid example',
  );
  for (const [key, good] of Object.entries(VALID_BODIES)) {
    const [method = '', named = ''] = key.split(' ');
    const path = named.replace('{id}', ABSENT_ID).replace('{number}', '1');
    const by = STAFFS.has(key) ? staffToken : token;
    for (const [name, value] of Object.entries(good)) {
      for (const wrong of createWrongValues(name, value)) {
        if (wrong === null && key.includes('/withdrawal') && NULLABLE.has(name)) continue;
        const response = await call(method, path, { ...good, [name]: wrong }, by);
        const what = `${key} with ${name}: ${JSON.stringify(wrong).slice(0, 80)}: ${response.text.slice(0, 200)}`;
        assert.equal(response.status, 400, what);
        const body: unknown = JSON.parse(response.text);
        const fields = keysAt(body, 'error', 'fields');
        assert.ok(
          fields.some((field) => field.split('.')[0] === name),
          `${what} does not name the field`,
        );
      }
    }
    for (const whole of [[], [good], 'text', 1, true, null])
      assert.equal((await call(method, path, whole, by)).status, 400);
    if (key === 'POST /orders/{id}/requote') continue;
    assert.equal(
      (await sendRawRequest(shop.url, createJsonRequest(method, path, undefined, by))).status,
      400,
      `${key} without a body`,
    );
  }
  assert.equal(listAt(JSON.parse((await call('GET', '/cart')).text), 'cart_items').length, 0);
});

test('[API-00] [API-02] query numbers and texts are strict and bounded', async () => {
  const wrong = [
    ...['', '0', '501', '-1', '1.5', '1e2', '0x10', '%205', 'abc', '99999999999999999999', '1&limit=2', '%00'].map(
      (text) => `limit=${text}`,
    ),
    ...['-1', '1.5', '1e3', 'x', '9999999999'].map((text) => `offset=${text}`),
    ...['-1', 'NaN', 'Infinity', '1e3', '1,5', '99999999', '1.999', '1&price_min=2'].map((text) => `price_min=${text}`),
    'price_min=10&price_max=5',
    'sort=cheapest',
    'sort=price_asc&sort=newest',
    'q=%00',
    `q=${'x'.repeat(201)}`,
    'q=a&q=b',
    `category=${'x'.repeat(121)}`,
    'brand=%00',
    'values=x',
    `values=${ABSENT_ID},`,
  ];
  for (const query of wrong) assert.equal((await call('GET', `/products?${query}`)).status, 400, query);
  for (const query of [
    'limit=1',
    'limit=500',
    'q=%25',
    'q=_',
    "q='",
    'q=%F0%9F%82%A1',
    'unknown=1',
    'price_min=0&price_max=0',
    '__proto__=1',
    'constructor=1',
  ]) {
    assert.equal((await call('GET', `/products?${query}`)).status, 200, query);
  }
});

test('[API-00] refuses unknown paths with 404 and malformed ones with 400', async () => {
  for (const path of [
    '/orders/1',
    '/orders/..%2f..',
    '/products/x',
    '/products/%F0%9F%82%A1',
    `/products/${'x'.repeat(250)}`,
    '/nothing',
    '/dev',
    '/orders/',
    '',
  ]) {
    assert.equal((await call('GET', path)).status, 404, path);
  }
  for (const path of [
    '/orders/%00',
    '/products/a%00b',
    '/orders/%zz',
    '/products/%ff',
    `/products/${'x'.repeat(400)}`,
  ]) {
    const { status } = await call('GET', path);
    assert.ok(status === 400 || status === 404, `${path}: ${status}`);
  }
});

async function send(type: string | null, body: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, ...(type === null ? {} : { 'content-type': type }) };
  const response = await sendRawRequest(shop.url, { method: 'POST', path: '/api/cart/add', headers, body });
  assertResponse(response, `${type}: ${body.slice(0, 80)}`);
  return response.status;
}

test('[API-00] refuses large bodies, other types and broken JSON', async () => {
  const good = JSON.stringify({ product_id: product, quantity: 1 });
  assert.equal(await send('application/json', `${good}${' '.repeat(65 * 1024)}`), 413);
  assert.equal(
    await send('application/json', JSON.stringify({ product_id: product, quantity: 1, note: 'x'.repeat(65 * 1024) })),
    413,
  );
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'x',
    null,
  ]) {
    assert.equal(await send(type, good), 415, String(type));
  }
  const deep = 30_000;
  for (const broken of [
    '{',
    '{"a":1',
    `${good}}`,
    "{'a':1}",
    'undefined',
    'NaN',
    '{"a":}',
    '\u0000',
    `${'['.repeat(deep)}${']'.repeat(deep)}`,
  ]) {
    assert.equal(await send('application/json', broken), 400, broken.slice(0, 20));
  }
  assert.equal(listAt(JSON.parse((await call('GET', '/cart')).text), 'cart_items').length, 0, 'nothing was stored');
  assert.equal(await send('application/json; charset=utf-8', good), 200);
  await call('DELETE', '/cart/remove', { product_id: product });
});

test('[API-01] ignores unknown fields and prototype keys', async () => {
  const added = await call('POST', '/cart/add', {
    product_id: product,
    quantity: 1,
    id: ABSENT_ID,
    price_usd: 0.01,
    price_btc: 0,
    isFree: true,
    role: 'owner',
  });
  const [line] = listAt(JSON.parse(added.text), 'cart_items');
  assert.ok(numberAt(line, 'price_usd') > 1);
  assert.equal(valueAt(line, 'isFree'), false);

  const sendRaw = (body: string, path = '/api/cart/add') =>
    sendRawRequest(shop.url, { method: 'POST', path, headers: { 'content-type': 'application/json' }, body });
  for (const key of ['__proto__', 'constructor']) {
    const body = `{"product_id":"${product}","quantity":1,"${key}":{"prototype":{"isFree":true},"isFree":true,"role":"owner"}}`;
    const response = await sendRaw(body);
    assertResponse(response, body);
    assert.ok(response.status === 400 || response.status === 200);
    assert.doesNotMatch(response.text, /"isFree":true/);
  }
  const wanted = { username: 'climber', email: 'climber@shop.example', password: 'crypto-market' };
  const more = { ...wanted, role: 'owner', id: ABSENT_ID, is_admin: true, tickets: ['x'], email_verified: true };
  assert.equal((await call('POST', '/users/register', more)).status, 201);
  const signedIn = await shop.api('POST', '/users/login', { body: { ...wanted, role: 'owner' } });
  assert.equal(textAt(signedIn.body, 'user', 'role'), 'customer');
  assert.notEqual(textAt(signedIn.body, 'user', 'id'), ABSENT_ID);
  const checkout = await call('POST', '/cart/checkout', {
    ...BILLING,
    payment_status: 'paid',
    total_price_usd: 1,
    id: ABSENT_ID,
  });
  const order = valueAt(JSON.parse(checkout.text), 'order');
  assert.deepEqual([checkout.status, valueAt(order, 'payment_status')], [201, 'pending']);
  assert.ok(numberAt(order, 'total_price_usd') > 1 && textAt(order, 'id') !== ABSENT_ID);
  assert.deepEqual(valueAt(order, 'billing'), BILLING);
});
