import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiRequest, ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
/** A product with a value that increases its price, and another product. */
let product: Offered;
let other: Offered;

interface Offered {
  readonly id: string;
  readonly slug: string;
  readonly priceUsd: number;
  readonly priceBtc: number;
  readonly properties: readonly (readonly { readonly id: string; readonly usd: number; readonly btc: number }[])[];
}

before(async () => {
  shop = await startTestShop();
  const offered = await listOffered();
  const match = offered.find(({ properties }) =>
    properties.some((values) => values.length > 1 && (values[1]?.usd ?? 0) > 0),
  );
  product = match ?? assert.fail('no product with a price increase');
  other = offered.find(({ id }) => id !== product.id) ?? assert.fail('only one product');
});
after(() => shop.stop());

async function listOffered(): Promise<Offered[]> {
  const categories = listAt((await shop.api('GET', '/categories')).body);
  const properties = categories.flatMap((category) => listAt(category, 'properties'));
  return listAt((await shop.api('GET', '/products')).body).map((row) => {
    const offeredIds = new Set(listAt(row, 'selected_property_values'));
    const listValues = (property: unknown) =>
      listAt(property, 'values')
        .filter((value) => offeredIds.has(textAt(value, 'id')))
        .map((value) => ({
          id: textAt(value, 'id'),
          usd: numberAt(value, 'price_in_usd_increase'),
          btc: numberAt(value, 'price_in_btc_increase'),
        }));
    return {
      id: textAt(row, 'id'),
      slug: textAt(row, 'slug'),
      priceUsd: numberAt(row, 'base_price_in_usd'),
      priceBtc: numberAt(row, 'base_price_in_btc'),
      properties: properties.map(listValues).filter((values) => values.length > 0),
    };
  });
}

const listFirstValues = ({ properties }: Offered): string[] =>
  properties.flatMap(([first]) => first?.id ?? []).toSorted();
const readGuestCookie = (response: ApiResponse): string =>
  response.headers
    .getSetCookie()
    .find((line) => line.startsWith('guest_user_id='))
    ?.split(';')[0] ?? '';

/** A guest with an item in the cart; further calls carry the cookie. */
async function openGuest(quantity = 1) {
  const added = await shop.api('POST', '/cart/add', { body: { product_id: product.id, quantity } });
  assert.equal(added.status, 200);
  const cookie = readGuestCookie(added);
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, request: ApiRequest = {}) =>
    shop.api(method, path, { cookie, ...request });
  return { added, cookie, call };
}

async function signIn(username: string): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}

const listLines = (cart: unknown) =>
  listAt(cart, 'cart_items').map((item) => [
    textAt(item, 'product_id'),
    listAt(item, 'property_value_ids'),
    numberAt(item, 'quantity'),
  ]);
const readErrorCode = (response: ApiResponse) => [response.status, textAt(response.body, 'error', 'code')];
const toHundreds = (btc: number): bigint => BigInt(Math.round(btc * 1e6));

test('[API-03] returns an empty cart with all fields and no cookie', async () => {
  const { status, headers, body } = await shop.api('GET', '/cart');
  assert.deepEqual([status, headers.get('cache-control'), headers.getSetCookie()], [200, 'no-store', []]);
  assert.deepEqual(body, {
    has_guest_cart: false,
    cart_items: [],
    appliedPromoCode: null,
    promoError: null,
    totalCartValue: 0,
    totalBtcValue: 0,
    discount: 0,
    suggestedPromo: null,
    subtotal_usd: 0,
    subtotal_btc: 0,
    discount_usd: 0,
    discount_btc: 0,
    delivery: null,
  });
});

test('[CART-08] sets an HttpOnly cookie of 256 bits at the first guest write', async () => {
  const { added, call } = await openGuest();
  const [line] = added.headers.getSetCookie();
  assert.match(line ?? '', /^guest_user_id=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  const cart = await call('GET', '/cart');
  assert.deepEqual(cart.body, added.body);
  assert.equal(valueAt(cart.body, 'has_guest_cart'), true);
});

test('[API-03] [PROD-08] [PAY-06] prices lines with their values and sums totals exactly', async () => {
  const { call } = await openGuest(2);
  const chosen = product.properties.map((values) => values.at(-1) ?? assert.fail('property without values'));
  const dearest = chosen.map(({ id }) => id);
  await call('POST', '/cart/add', { body: { product_id: product.id, quantity: 3, property_value_ids: dearest } });
  const { body: cart } = await call('POST', '/cart/add', { body: { product_id: other.id, quantity: 1 } });
  let cents = 0n;
  let hundredSats = 0n;
  for (const item of listAt(cart, 'cart_items')) {
    const quantity = BigInt(numberAt(item, 'quantity'));
    cents += quantity * BigInt(Math.round(numberAt(item, 'price_usd') * 100));
    hundredSats += quantity * toHundreds(numberAt(item, 'price_btc'));
    assert.match(numberAt(item, 'price_btc').toFixed(8), /00$/);
  }
  assert.equal(BigInt(Math.round(numberAt(cart, 'totalCartValue') * 100)), cents);
  assert.equal(toHundreds(numberAt(cart, 'totalBtcValue')), hundredSats);
  assert.match(numberAt(cart, 'totalBtcValue').toFixed(8), /00$/);

  const sorted = dearest.toSorted().join();
  const line = listAt(cart, 'cart_items').find((item) => listAt(item, 'property_value_ids').join() === sorted);
  assert.equal(
    numberAt(line, 'price_usd'),
    chosen.reduce((sum, { usd }) => sum + usd, product.priceUsd),
  );
  const parts = chosen.reduce((sum, { btc }) => sum + toHundreds(btc), toHundreds(product.priceBtc));
  assert.equal(toHundreds(numberAt(line, 'price_btc')), parts);
  assert.equal(textAt(line, 'product', 'slug'), product.slug);
});

test('[CART-03] [API-04] returns the cart from add, update and remove', async () => {
  const { call } = await openGuest();
  const first = listFirstValues(product);
  const added = await call('POST', '/cart/add', {
    body: { product_id: product.id, quantity: 4, property_value_ids: first },
  });
  assert.deepEqual(listLines(added.body), [[product.id, first, 5]]);
  const updated = await call('PUT', '/cart/update', { body: { product_id: product.id, quantity: 2 } });
  assert.deepEqual([updated.status, listLines(updated.body)], [200, [[product.id, first, 2]]]);
  const removed = await call('DELETE', '/cart/remove', { body: { product_id: product.id, property_value_ids: first } });
  assert.deepEqual([removed.status, listLines(removed.body)], [200, []]);
  const again = await call('DELETE', '/cart/remove', { body: { product_id: product.id } });
  assert.deepEqual([again.status, again.body], [200, removed.body]);
});

test('[API-04] accepts a removal in the query', async () => {
  const { call } = await openGuest();
  assert.deepEqual(listLines((await call('DELETE', `/cart/remove?product_id=${product.id}`)).body), []);
});

test('[API-04] adds up twenty concurrent additions exactly', async () => {
  const token = await signIn('bob');
  const body = { product_id: other.id, quantity: 1 };
  const all = await Promise.all(Array.from({ length: 20 }, () => shop.api('POST', '/cart/add', { token, body })));
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
  assert.deepEqual(listLines((await shop.api('GET', '/cart', { token })).body), [
    [other.id, listFirstValues(other), 20],
  ]);
  await shop.api('DELETE', '/cart/remove', { token, body: { product_id: other.id } });
});

test('[API-00] refuses and stores no invalid quantities, ids or values', async () => {
  const { call, added } = await openGuest();
  const { id } = product;
  for (const body of [
    { product_id: id, quantity: 0 },
    { product_id: id, quantity: -1 },
    { product_id: id, quantity: 1.5 },
    { product_id: id, quantity: '1' },
    { product_id: id, quantity: true },
    { product_id: id, quantity: 100 },
    { product_id: id, quantity: 1e20 },
    { product_id: [id], quantity: 1 },
    { product_id: 1, quantity: 1 },
    { product_id: id },
    { product_id: id, quantity: 1, property_value_ids: 'x' },
    { product_id: id, quantity: 1, property_value_ids: ['x'] },
    [],
    'no json',
    undefined,
  ]) {
    for (const [method, path] of [
      ['POST', '/cart/add'],
      ['PUT', '/cart/update'],
    ] as const) {
      assert.equal((await call(method, path, { body })).status, 400, JSON.stringify(body));
    }
  }
  assert.deepEqual((await call('GET', '/cart')).body, added.body);
});

test('[API-04] reports unknown products and values and exceeded limits', async () => {
  const { call } = await openGuest(99);
  const unknown = '019a0000-0000-7000-8000-000000000001';
  const line = { product_id: product.id, quantity: 1 };
  const full = await call('POST', '/cart/add', { body: line });
  assert.deepEqual(readErrorCode(full), [400, 'quantity-limit']);
  const expected = 'Maximum 99 per item';
  assert.equal(textAt(full.body, 'error', 'message'), expected);
  const more = await call('PUT', '/cart/update', { body: { ...line, quantity: 100 } });
  assert.equal(textAt(more.body, 'error', 'fields', 'quantity'), expected);
  assert.deepEqual(readErrorCode(await call('POST', '/cart/add', { body: { ...line, product_id: unknown } })), [
    404,
    'not-found',
  ]);
  assert.deepEqual(readErrorCode(await call('PUT', '/cart/update', { body: { ...line, product_id: other.id } })), [
    404,
    'not-in-cart',
  ]);
  for (const [method, path] of [
    ['POST', '/cart/add'],
    ['PUT', '/cart/update'],
    ['DELETE', '/cart/remove'],
  ] as const) {
    const body = { ...line, property_value_ids: [unknown] };
    assert.deepEqual(readErrorCode(await call(method, path, { body })), [400, 'unknown-values']);
  }
});

test('[API-00] ignores prices, gifts and owners in a request', async () => {
  const claimed = { price_usd: 0, price_btc: 0, isFree: true, user_id: 'x', cart_id: 'x' };
  const { body } = await shop.api('POST', '/cart/add', { body: { product_id: product.id, quantity: 1, ...claimed } });
  assert.equal(valueAt(body, 'cart_items', 0, 'isFree'), false);
  assert.ok(numberAt(body, 'totalCartValue') >= product.priceUsd);
});

test('[API-06] separates guest and account cart and merges once', async () => {
  const { call, cookie } = await openGuest(3);
  const token = await signIn('alice');
  const seen = (await call('GET', '/cart', { token })).body;
  assert.deepEqual([valueAt(seen, 'has_guest_cart'), listLines(seen)], [true, []]);
  const line = [product.id, listFirstValues(product), 3];
  for (const request of [{}, { token }])
    assert.deepEqual(listLines((await call('GET', '/cart/guest', request)).body), [line]);

  assert.equal((await call('POST', '/orders/transfer-cart')).status, 401);
  const moved = await call('POST', '/orders/transfer-cart', { token });
  assert.deepEqual([moved.status, listLines(valueAt(moved.body, 'cart'))], [200, [line]]);
  assert.match(moved.headers.getSetCookie().join(), /^guest_user_id=;/);
  const again = await call('POST', '/orders/transfer-cart', { token });
  assert.deepEqual(listLines(valueAt(again.body, 'cart')), [line]);
  assert.deepEqual((await shop.api('GET', '/cart/guest', { cookie })).body, { cart_items: [] });
  assert.deepEqual(listLines((await shop.api('GET', '/cart', { cookie })).body), []);
});

test('[API-00] refuses cross-site writes to a guest cart', async () => {
  const { call, added } = await openGuest();
  const body = { product_id: product.id, quantity: 1 };
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    assert.equal((await call('POST', '/cart/add', { body, headers })).status, 403);
  }
  assert.deepEqual((await call('GET', '/cart')).body, added.body);
});
