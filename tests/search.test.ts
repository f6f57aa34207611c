/** Product search over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { RATE_LIMITS: 'off' } });
});
after(() => shop.stop());

const listNames = (products: readonly unknown[]): string[] => products.map((product) => textAt(product, 'name'));
const find = async (query: string) => {
  const response = await shop.api('GET', `/products?${query}`);
  assert.equal(response.status, 200, query);
  return listNames(listAt(response.body));
};
const suggest = async (query: string) => {
  const response = await shop.api('GET', `/search/suggestions?${query}`);
  assert.equal(response.status, 200, query);
  const group = (name: string) => listNames(listAt(valueAt(response.body, name)));
  return { nearest: group('nearest'), popular: group('popular') };
};

const MEANT: readonly (readonly [text: string, names: readonly string[]])[] = [
  ['iphone17', ['iPhone 17 Pro', 'iPhone 17 Pro Max', 'iPhone 17']],
  ['ipone 17 pro', ['iPhone 17 Pro', 'iPhone 17 Pro Max']],
  ['pro iphone', ['iPhone 17 Pro', 'iPhone 17 Pro Max', 'iPhone 16 Pro Max', 'iPhone 16 Pro']],
  ['magsafe chargr', ['MagSafe Charger']],
];
for (const [text, names] of MEANT) {
  test(`[SRCH-06] GET /products finds the intended products for '${text}'`, async () => {
    assert.deepEqual(await find(`q=${encodeURIComponent(text)}`), names);
  });
}

test("[SRCH-06] 'macbok' and 'air pods' find all MacBooks and AirPods", async () => {
  assert.deepEqual(await find('q=macbok'), await find('q=macbook'));
  assert.deepEqual(await find('q=air%20pods'), await find('q=airpods'));
});

test('[SRCH-06] filters, sorts and counts fuzzy matches like exact ones', async () => {
  const sorted = await shop.api('GET', '/products?q=macbok&sort=price_asc&price_max=1500&limit=2');
  const exact = await shop.api('GET', '/products?q=macbook&sort=price_asc&price_max=1500&limit=2');
  assert.deepEqual(sorted.body, exact.body);
  assert.equal(sorted.headers.get('x-total-count'), exact.headers.get('x-total-count'));
  const counted = await shop.api('GET', '/filters?q=macbok&price_max=1500');
  assert.deepEqual(counted.body, (await shop.api('GET', '/filters?q=macbook&price_max=1500')).body);
});

test('[SRCH-06] suggests nearest and popular products without results', async () => {
  const popular = await find('sort=best_sold&limit=4');
  assert.deepEqual(await find('q=iphone%2099'), []);
  const near = await suggest('q=iphone%2099');
  assert.equal(near.nearest.length, 4);
  assert.ok(near.nearest.every((name) => name.startsWith('iPhone')));
  assert.ok(near.popular.length === 4 && !near.popular.some((name) => near.nearest.includes(name)));
  for (const query of ['q=zeppelin', '']) assert.deepEqual(await suggest(query), { nearest: [], popular }, query);
});

test('[SRCH-06] accepts or refuses any query', async () => {
  for (const path of ['/products', '/filters', '/search/suggestions']) {
    for (const text of [
      'a '.repeat(100),
      'x'.repeat(200),
      '💥'.repeat(50),
      'İ\u0301'.repeat(60),
      '﷽'.repeat(100),
      '17'.repeat(100),
    ]) {
      assert.equal((await shop.api('GET', `${path}?q=${encodeURIComponent(text)}`)).status, 200, `${path} ${text}`);
    }
    for (const text of ['x'.repeat(10_000), 'word '.repeat(200), '\u0000']) {
      assert.equal((await shop.api('GET', `${path}?q=${encodeURIComponent(text)}`)).status, 400, `${path} ${text}`);
    }
  }
  for (const text of ['x'.repeat(10_000), 'word '.repeat(200)]) {
    assert.equal((await fetch(`${shop.url}/search-results?query=${encodeURIComponent(text)}`)).status, 200);
  }
});

test('[SRCH-06] shows exact matches before similar ones', async () => {
  const page = await (await fetch(`${shop.url}/search-results?query=macbok`)).text();
  assert.match(page, /No exact matches for &quot;macbok&quot;/);
  assert.match(page, /MacBook Air 15-inch M4/);
  const exact = await (await fetch(`${shop.url}/search-results?query=macbook`)).text();
  assert.doesNotMatch(exact, /Similar products/);
});
