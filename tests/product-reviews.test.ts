/** Product reviews: who may write one, how often, and when it is shown. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { keysAt, listAt, textAt, valueAt } from './support/read-json.ts';
import { startSecondProcess } from './support/second-process.ts';
import { startTestShop } from './support/shop.ts';
import type { ApiResponse } from './support/api-client.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const ABSENT = '019a0000-0000-7000-8000-000000000000';

let shop: TestShop;
let staff: string;
let product: { readonly id: string; readonly slug: string };
before(async () => {
  shop = await startTestShop();
  const account = { username: 'staff', password: 'crypto-market' };
  staff = textAt((await shop.api('POST', '/users/login', { body: account })).body, 'tokens', 'accessToken');
  const [row] = listAt((await shop.api('GET', '/products?limit=1')).body);
  product = { id: textAt(row, 'id'), slug: textAt(row, 'slug') };
});
after(() => shop.stop());

async function buyProduct(username: string, billing: object = {}): Promise<string> {
  const token = await createStockBuyer(shop, username, product.id);
  const { body } = await shop.api('POST', '/cart/checkout', { token, body: { ...BILLING, ...billing } });
  await shop.api('POST', '/dev/pay', { body: { order_id: textAt(body, 'order', 'id') } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const path = `/orders/${textAt(body, 'order', 'id')}`;
  await waitUntil(
    async () => textAt((await shop.api('GET', path, { token })).body, 'order', 'payment_status') === 'paid',
  );
  return token;
}
const review = (token: string, body: object = {}): Promise<ApiResponse> =>
  shop.api('POST', '/reviews', {
    token,
    body: { product_id: product.id, rating: 4, text: 'Quick and quiet', ...body },
  });
const listShown = async (url: string): Promise<readonly string[]> => {
  const list: unknown = await (await fetch(`${url}/api/reviews/product/${product.slug}`)).json();
  return listAt(list).map((row) => textAt(row, 'text'));
};
const decide = (id: string, action: string): Promise<ApiResponse> =>
  shop.api('POST', `/support/reviews/${id}/${action}`, { token: staff });

test('[REV-03] accepts one review per product from buyers only', async () => {
  const stranger = await createStockBuyer(shop, 'not-a-buyer', product.id);
  const refused = await review(stranger);
  assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [403, 'not-bought']);
  assert.equal((await shop.api('POST', '/cart/checkout', { token: stranger, body: BILLING })).status, 201);
  assert.equal((await review(stranger)).status, 403, 'not paid');
  assert.equal((await review(stranger, { product_id: ABSENT })).status, 404);
  const token = await buyProduct('a-buyer');
  for (const wrong of [{ rating: 0 }, { rating: 6 }, { rating: 4.5 }, { text: ' ' }, { text: 'x'.repeat(2001) }]) {
    assert.equal((await review(token, wrong)).status, 400, JSON.stringify(wrong).slice(0, 50));
  }
  const responses = await Promise.all(Array.from({ length: 8 }, () => review(token)));
  const created = responses.find(({ status }) => status === 201);
  assert.equal(responses.filter(({ status }) => status === 201).length, 1);
  for (const { status, body } of responses.filter((response) => response !== created)) {
    assert.deepEqual([status, textAt(body, 'error', 'code')], [409, 'reviewed-already']);
  }
  assert.deepEqual(keysAt(created?.body), ['id', 'product_id', 'name', 'rating', 'text', 'state', 'created']);
  assert.deepEqual((await shop.api('GET', '/reviews/own', { token })).body, [created?.body]);
  assert.equal((await listShown(shop.url)).includes('Quick and quiet'), false);
});

test('[REV-03] [PROD-11] [OPS-04] shows an approved review in all processes until rejected', async () => {
  const other = await startSecondProcess(shop);
  try {
    const token = await buyProduct('another-buyer');
    const text = 'Better than I thought';
    const id = textAt((await review(token, { text, rating: 5 })).body, 'id');
    const page = `${shop.url}/catalog/product/${product.slug}`;
    assert.doesNotMatch(await (await fetch(page)).text(), new RegExp(text));
    const waiting = await shop.api('GET', '/support/reviews?state=waiting', { token: staff });
    const ownRow = listAt(waiting.body, 'reviews').find((row) => textAt(row, 'id') === id);
    assert.deepEqual([textAt(ownRow, 'name'), textAt(ownRow, 'product', 'slug')], ['Ada', product.slug]);
    const approved = await decide(id, 'approve');
    assert.deepEqual([approved.status, valueAt(approved.body, 'state')], [200, 'approved']);
    assert.equal((await listShown(shop.url))[0], text);
    assert.match(await (await fetch(page)).text(), new RegExp(text));
    await waitUntil(async () => (await listShown(other.url))[0] === text);
    const ownReview = listAt((await shop.api('GET', '/reviews/own', { token })).body)[0];
    assert.equal(textAt(ownReview, 'state'), 'approved');
    const verified = await shop.api('GET', `/verified-reviews/product/${textAt(approved.body, 'product', 'id')}`);
    assert.ok(listAt(verified.body).includes(id));
    assert.match(await (await fetch(page)).text(), /<\/h3><span>Verified purchase/);
    await decide(id, 'reject');
    assert.equal((await listShown(shop.url)).includes(text), false);
    await waitUntil(async () => !(await listShown(other.url)).includes(text));
    assert.equal((await decide(ABSENT, 'approve')).status, 404);
    assert.equal((await shop.api('POST', `/support/reviews/${id}/approve`, { token })).status, 403);
  } finally {
    await other.stop();
  }
});

test('[REV-04] shows the name that the buyer chose, by default the first name', async () => {
  const token = await buyProduct('private-login');
  const getDefault = async (caller: string) => (await shop.api('GET', '/reviews/name', { token: caller })).body;
  assert.deepEqual(await getDefault(token), { name: 'Ada' });
  const stranger = await createStockBuyer(shop, 'without-an-order', product.id);
  assert.deepEqual(await getDefault(stranger), { name: 'without-an-order' });
  for (const name of [
    '',
    ' ',
    'x'.repeat(61),
    'buy at evil.com',
    'Support',
    'stаff',
    'A\u202Eda',
    '\uFDFA'.repeat(10),
  ]) {
    const refused = await review(token, { name });
    assert.equal(refused.status, 400, name);
    assert.equal(textAt(refused.body, 'error', 'fields', 'name') === '', false, name);
  }
  assert.deepEqual((await shop.api('GET', '/reviews/own', { token })).body, []);
  const written = await review(token, { name: '  Ada   L. ' });
  assert.equal(textAt(written.body, 'name'), 'Ada L.');
  await decide(textAt(written.body, 'id'), 'approve');
  const shown = listAt((await shop.api('GET', `/reviews/product/${product.slug}`)).body);
  assert.equal(textAt(shown[0], 'name'), 'Ada L.');
  assert.doesNotMatch(JSON.stringify(shown), /private-login/);
});

test('[REV-04] uses the username when the first name may not be shown', async () => {
  const token = await buyProduct('plain-buyer', { firstName: 'www.shop' });
  assert.equal(textAt((await review(token)).body, 'name'), 'plain-buyer');
});

test('[REV-04] accepts the own username as the name to show', async () => {
  const token = await buyProduct('own-name');
  assert.equal(textAt((await review(token, { name: 'own-name' })).body, 'name'), 'own-name');
});
