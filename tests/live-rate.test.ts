/** The shop at a live rate: sales, cached pages while it changes, and behaviour without a rate. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { AnyRoute } from '#src/platform/http/call.ts';
import { exchangeNames } from '#src/platform/rates/exchanges.ts';
import { LiveRate } from '#src/platform/rates/live-rate.ts';
import { PageCache } from '#src/platform/pages/page-cache.ts';
import type { PageResponse } from '#src/platform/pages/page-cache.ts';
import type { PageDependencies } from '#src/platform/pages/page-dependencies.ts';
import { CompressedBody } from '#src/platform/pages/compressed-body.ts';
import { createCatalogueRoutes } from '#src/shop/catalogue/routes.ts';
import { Catalogue } from '#src/shop/catalogue/service.ts';
import './support/built-pages.ts';
import { silentLog, createTestDatabase } from './support/database.ts';
import { FakeExchanges, respondNever } from './support/fake-exchanges.ts';
import { LEADER, MemoryRateStore } from './support/memory-rate-store.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const market = new FakeExchanges();
/** Two of the four, at a price in cents. */
let urls = '';
let shop: TestShop;
const setPrice = (cents: number): void => market.setBehaviour(market.respondWithPrice((cents / 100).toFixed(2)));
/** On a busy machine the first requests may time out; the shop repeats them. */
const hasRate = (): Promise<void> =>
  waitUntil(async () => textAt((await shop.api('GET', '/rate')).body, 'state') === 'current');

before(async () => {
  await market.open();
  urls = `kraken=${market.origin}/kraken gemini=${market.origin}/gemini`;
  setPrice(10_000_000);
  shop = await startTestShop({ settings: { RATE_SOURCE: 'live', RATE_URLS: urls, RATE_SPREAD: '0.5' } });
});
after(async () => {
  await shop.stop();
  market.close();
});

async function createBuyerWithCart(name: string): Promise<string> {
  const credentials = { username: name, password: 'a long enough password' };
  await shop.api('POST', '/users/register', { body: { ...credentials, email: `${name}@example.com` } });
  const signedIn = await shop.api('POST', '/users/login', { body: credentials });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  const products = await shop.api('GET', '/products?limit=1&q=iphone');
  await shop.api('POST', '/cart/add', { token, body: { product_id: textAt(products.body, 0, 'id'), quantity: 1 } });
  return token;
}

const readPage = async (path: string): Promise<string> => (await fetch(`${shop.url}${path}`)).text();

test('[PAY-08] sells at the median of the exchanges minus the spread', async () => {
  await hasRate();
  const rate = await shop.api('GET', '/rate');
  const updatedAt = textAt(rate.body, 'updated_at');
  assert.deepEqual(rate.body, { rate_usd: 99_500, state: 'current', updated_at: updatedAt });
  assert.match(await readPage('/'), /1 BTC = \$(?:<!-- -->)?99,500\.00/);
  const token = await createBuyerWithCart('present');
  const checkout = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(checkout.status, 201, JSON.stringify(checkout.body));
  const id = textAt(checkout.body, 'order', 'id');
  assert.equal(numberAt((await shop.api('GET', `/orders/${id}/timeline`, { token })).body, 'rate_usd'), 99_500);
  assert.doesNotMatch(await readPage('/catalog'), /About prices/);
  assert.equal(textAt(await (await fetch(`${shop.url}/readyz`)).json(), 'rate'), 'current');
});

test('[PAY-06] uses the last good rate after a restart', async () => {
  await hasRate();
  market.setBehaviour(respondNever);
  await shop.restart();
  const { body } = await shop.api('GET', '/rate');
  assert.notEqual(textAt(body, 'state'), 'none');
  assert.ok(numberAt(body, 'rate_usd') > 0);
});

test('[PAY-06] without a rate shows dollars and refuses checkouts', async () => {
  market.setBehaviour(respondNever);
  await shop.stop();
  // A shop that never had a rate.
  shop = await startTestShop({ settings: { RATE_SOURCE: 'live', RATE_URLS: urls, RATE_SPREAD: '0.5' } });
  const [first] = listAt((await shop.api('GET', '/products?limit=1')).body);
  assert.equal(valueAt(first, 'base_price_in_btc'), null);
  assert.deepEqual((await shop.api('GET', '/rate')).body, { rate_usd: null, state: 'none', updated_at: null });
  for (const path of ['/', '/catalog', '/catalog/product/iphone-17-pro', '/cart']) {
    const html = await readPage(path);
    assert.match(html, /No bitcoin rate is available/, path);
    assert.doesNotMatch(html, /0\.00 BTC or|>0\.00 BTC</, path);
  }
  assert.match(await readPage('/catalog'), /\$\d+\.\d\d/);
  const token = await createBuyerWithCart('absent');
  const refused = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.deepEqual([refused.status, valueAt(refused.body, 'error', 'code')], [503, 'no-rate']);
  assert.equal(listAt((await shop.api('GET', '/cart', { token })).body, 'cart_items').length, 1, 'the cart stays');
  const ready = await fetch(`${shop.url}/readyz`);
  assert.deepEqual([ready.status, textAt(await ready.json(), 'rate')], [200, 'none']);
  setPrice(10_000_000);
  await shop.restart();
  await hasRate();
  assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 201);
});

test('small rate changes keep cached pages for ten minutes', async () => {
  const { db } = await createTestDatabase();
  const time = { monotonicMs: 0, wallMs: market.nowMs };
  const now = (): Date => new Date(time.wallMs);
  const live = new LiveRate({
    urls: market.getUrls(),
    now,
    log: silentLog,
    spread: 0n,
    store: new MemoryRateStore(() => time.wallMs),
    leader: LEADER,
    moment: () => ({ ...time }),
  });
  const catalogue = await Catalogue.open(db, live.display);
  const routes: Readonly<Record<string, AnyRoute>> = createCatalogueRoutes(catalogue, { version: 1 });
  const cache = new PageCache({ versionOf: (key) => routes[key]?.getVersion ?? null, maxBytes: 100_000 });
  let renders = 0;
  const render = async (parts: PageDependencies): Promise<PageResponse> => {
    renders += 1;
    const outcome = { ok: true, status: 200, wire: String(catalogue.rate) } as const;
    for (const key of Object.keys(routes)) await parts.record(key, {}, () => Promise.resolve(outcome));
    return { status: 200, headers: {}, cookies: [], body: new CompressedBody(Buffer.from(String(catalogue.rate))) };
  };
  let cents = 10_000_000;
  setPrice(cents);
  await live.start();
  const rendersAfter: number[] = [];
  for (let minute = 0; minute < 30; minute += 1) {
    // Two responses a minute per exchange, each followed by a visit.
    for (let half = 0; half < 2; half += 1) {
      cents += 1;
      setPrice(cents);
      for (const name of exchangeNames) await live.pollExchange(name);
      await cache.getOrRender('/', render);
      time.monotonicMs += 30_000;
      time.wallMs += 30_000;
      market.nowMs = time.wallMs;
    }
    rendersAfter.push(renders);
  }
  assert.deepEqual([rendersAfter[9], rendersAfter[19], rendersAfter[29]], [1, 2, 3]);
  // A change of a quarter of a percent invalidates pages immediately.
  setPrice(10_100_000);
  for (const name of exchangeNames) await live.pollExchange(name);
  await cache.getOrRender('/', render);
  assert.equal(renders, 4);
  live.stop();
});
