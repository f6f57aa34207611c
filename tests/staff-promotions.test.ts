/** Promotions of staff over HTTP, with a second process on the same database. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PromotionFields } from '#src/shop/promotions/editing/contract.ts';
import './support/built-pages.ts';
import { createPromotionFields } from './support/promotion-fields.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { getStaffToken } from './support/staff-fixtures.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let second: ShopProcess;
let staff: string;
let productId: string;
before(async () => {
  shop = await startTestShop({ settings: { LOG_LEVEL: 'info' } });
  second = await startSecondProcess(shop, { LOG_LEVEL: 'info' });
  staff = await getStaffToken(shop);
  productId = textAt((await shop.api('GET', '/products?limit=1&q=iphone%20air')).body, 0, 'id');
});
after(async () => {
  await second.stop();
  await shop.stop();
});

const create = (changed: Partial<PromotionFields>): Promise<ApiResponse> =>
  shop.api('POST', '/support/promotions', { token: staff, body: createPromotionFields(changed) });
const edit = (id: string, version: number, changed: Partial<PromotionFields>): Promise<ApiResponse> =>
  shop.api('PUT', `/support/promotions/${id}`, { token: staff, body: { ...createPromotionFields(changed), version } });
async function createId(changed: Partial<PromotionFields>): Promise<string> {
  const created = await create(changed);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return textAt(created.body, 'promotion', 'id');
}
const apply = (token: string, code: string): Promise<ApiResponse> =>
  shop.api('POST', '/promocodes/apply', { token, body: { code } });
const readError = ({ status, body }: ApiResponse): string => `${status} ${textAt(body, 'error', 'code')}`;

async function fetchText(path: string): Promise<string> {
  const response = await fetch(`${second.url}${path}`);
  assert.equal(response.status, 200, path);
  return response.text();
}
/** Milliseconds until the promotions page of the other process does or does not show a code. */
async function measureUntilShown(code: string, isShown: boolean): Promise<number> {
  const began = performance.now();
  await waitUntil(async () => (await fetchText('/promo')).includes(code) === isShown);
  return performance.now() - began;
}

test('[OPS-11] a change shows on the promotions page of another process within a second', async () => {
  assert.ok(!(await fetchText('/promo')).includes('ELSEWHERE'));
  const id = await createId({ code: 'ELSEWHERE', discount_value: 33 });
  assert.ok((await measureUntilShown('ELSEWHERE', true)) < 1500);
  assert.equal((await edit(id, 1, { code: 'RENAMED-CODE', discount_value: 33 })).status, 200);
  assert.ok((await measureUntilShown('RENAMED-CODE', true)) < 1500);
  assert.ok(!(await fetchText('/promo')).includes('ELSEWHERE'));

  const buyer = await createStockBuyer(shop, 'elsewhere', productId);
  assert.equal((await apply(buyer, 'RENAMED-CODE')).status, 200);
  assert.equal((await shop.api('POST', `/support/promotions/${id}/disable`, { token: staff })).status, 200);
  // The other process refuses the code at once: a checkout reads the database.
  const order = await fetch(`${second.url}/api/cart/checkout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${buyer}`, 'content-type': 'application/json' },
    body: JSON.stringify(BILLING),
  });
  const refused: unknown = await order.json();
  assert.deepEqual([order.status, textAt(refused, 'error', 'code')], [409, 'promo']);
  assert.equal(textAt(refused, 'error', 'message'), 'The promo code RENAMED-CODE is no longer valid');
  assert.ok((await measureUntilShown('RENAMED-CODE', false)) < 1500);
});

test('[OPS-11] the last use hides a code in every process, and a return shows it', async () => {
  const id = await createId({ code: 'LAST-USE', max_uses: 1 });
  await measureUntilShown('LAST-USE', true);
  const buyer = await createStockBuyer(shop, 'last-use', productId);
  await apply(buyer, 'last-use');
  const order = await shop.api('POST', '/cart/checkout', { token: buyer, body: BILLING });
  assert.equal(order.status, 201, JSON.stringify(order.body));
  await measureUntilShown('LAST-USE', false);
  const shown = await shop.api('GET', `/support/promotions/${id}`, { token: staff });
  assert.deepEqual(
    [valueAt(shown.body, 'promotion', 'state'), valueAt(shown.body, 'promotion', 'uses')],
    ['used_up', 1],
  );

  const uses = await shop.api('GET', `/support/promotions/${id}/uses`, { token: staff });
  const [use] = listAt(uses.body, 'uses');
  assert.deepEqual(
    [textAt(use, 'order_id'), textAt(use, 'number'), textAt(use, 'username'), valueAt(use, 'gift')],
    [textAt(order.body, 'order', 'id'), textAt(order.body, 'order', 'number'), 'last-use', null],
  );
  const total = Number(valueAt(order.body, 'order', 'total_price_usd'));
  const given = total - Number(valueAt(order.body, 'order', 'total_usd_after'));
  assert.deepEqual(
    [valueAt(use, 'discount_usd'), valueAt(uses.body, 'given_usd')].map(Number).map((usd) => usd.toFixed(2)),
    [given.toFixed(2), given.toFixed(2)],
  );
  assert.equal(readError(await shop.api('DELETE', `/support/promotions/${id}`, { token: staff })), '409 used');
  const orderId = textAt(order.body, 'order', 'id');
  assert.equal((await shop.api('POST', `/orders/${orderId}/cancel`, { token: buyer })).status, 200);
  await measureUntilShown('LAST-USE', true);
  assert.equal(valueAt((await shop.api('GET', `/support/promotions/${id}/uses`, { token: staff })).body, 'total'), 0);
});

test('[OPS-11] the preview has the totals of a real cart and stores nothing', async () => {
  const listAll = async () => (await shop.api('GET', '/support/promotions', { token: staff })).body;
  const stored = await listAll();
  const buyer = await createStockBuyer(shop, 'previewer', productId);
  const preview = async (changed: Partial<PromotionFields>, at: string | null = null): Promise<ApiResponse> =>
    shop.api('POST', '/support/promotions/preview', {
      token: staff,
      body: {
        promotion: createPromotionFields({ code: 'TRY', ...changed }),
        at,
        lines: [{ product_id: productId, quantity: 1 }],
      },
    });
  for (const value of [0.01, 12.34, 33.33, 100]) {
    const { body } = await preview({ discount_value: value });
    assert.deepEqual(await listAll(), stored);
    const id = await createId({ code: 'TRY', discount_value: value, is_advertised: false });
    const cart = (await apply(buyer, 'TRY')).body;
    assert.deepEqual(
      [
        'subtotal_usd',
        'subtotal_btc',
        'discount_usd',
        'discount_btc',
        'discount_percent',
        'total_usd',
        'total_btc',
      ].map((field) => valueAt(body, field)),
      [
        'subtotal_usd',
        'subtotal_btc',
        'discount_usd',
        'discount_btc',
        'discount',
        'totalCartValue',
        'totalBtcValue',
      ].map((field) => valueAt(cart, field)),
    );
    assert.equal((await shop.api('DELETE', `/support/promotions/${id}`, { token: staff })).status, 200);
  }
  const airtag = textAt((await shop.api('GET', '/products?limit=1&q=airtag')).body, 0, 'id');
  const gift = (await preview({ type: 'free_item', discount_value: 0, gift_product_id: airtag })).body;
  assert.deepEqual(
    listAt(gift, 'lines').map((line) => [textAt(line, 'product_id'), valueAt(line, 'is_gift')]),
    airtag < productId
      ? [
          [airtag, true],
          [productId, false],
        ]
      : [
          [productId, false],
          [airtag, true],
        ],
  );
  const below = (await preview({ minimum_subtotal_usd: 5000 })).body;
  assert.equal(valueAt(below, 'problem'), 'The promo code TRY requires an order of at least $5,000');
  const start = new Date(Date.now() + 86_400_000).toISOString();
  assert.equal(valueAt((await preview({ starts_at: start })).body, 'problem'), 'The promo code TRY is not valid yet');
  assert.equal(valueAt((await preview({ starts_at: start }, start)).body, 'problem'), null);
});

test('[OPS-11] refuses bad fields by name, stale versions and taken codes', async () => {
  const id = await createId({ code: 'TAKEN' });
  const refused = await create({ code: '!', discount_value: 101, max_uses: 0, position: -1 });
  assert.equal(readError(refused), '400 invalid');
  assert.deepEqual(Object.keys(valueAt(refused.body, 'error', 'fields') ?? {}).toSorted(), [
    'code',
    'discount_value',
    'max_uses',
    'position',
  ]);
  assert.equal(readError(await create({ code: 'NUL\u0000' })), '400 invalid');
  assert.equal(readError(await create({ code: 'taken ' })), '409 code-taken');
  assert.equal((await edit(id, 1, { code: 'TAKEN', discount_value: 11 })).status, 200);
  assert.equal(readError(await edit(id, 1, { code: 'TAKEN', discount_value: 12 })), '409 changed-meanwhile');
  const shown = await shop.api('GET', `/support/promotions/${id}`, { token: staff });
  assert.deepEqual(
    [valueAt(shown.body, 'promotion', 'discount_value'), valueAt(shown.body, 'promotion', 'version')],
    [11, 2],
  );
  for (const [path, status] of [
    ['/support/promotions?state=none', 400],
    ['/support/promotions?page=0', 400],
    ['/support/promotions?q=takEN&state=running', 200],
  ] as const)
    assert.equal((await shop.api('GET', path, { token: staff })).status, status, path);
});

test('[OPS-11] [OPS-26] changes and reading uses are security events', async () => {
  const id = await createId({ code: 'LOGGED' });
  await edit(id, 1, { code: 'LOGGED', discount_value: 20 });
  await shop.api('GET', `/support/promotions/${id}/uses`, { token: staff });
  await shop.api('DELETE', `/support/promotions/${id}`, { token: staff });
  const listCalls = (kind: string): string[] =>
    shop
      .readOutput()
      .split('\n')
      .filter((line) => line.includes(`"security_event":"${kind}"`) && (line.includes(id) || kind === 'staff_read'))
      .map((line) => /"call":"([^"]+)"/.exec(line)?.[1] ?? '');
  await waitUntil(() => listCalls('promotion_changed').length === 3);
  assert.deepEqual(listCalls('promotion_changed'), [
    'POST /support/promotions',
    'PUT /support/promotions/{id}',
    'DELETE /support/promotions/{id}',
  ]);
  assert.ok(listCalls('staff_read').includes('GET /support/promotions/{id}/uses'));
});
