import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#src/platform/http/call.ts';
import type { Outcome } from '#src/platform/http/call.ts';
import { PageCache } from './page-cache.ts';
import type { PageResponse } from './page-cache.ts';
import { CompressedBody } from './compressed-body.ts';
import type { PageDependencies } from './page-dependencies.ts';

const createPage = (text: string, extra: Partial<PageResponse> = {}): PageResponse => ({
  status: 200,
  headers: {},
  cookies: [],
  body: new CompressedBody(Buffer.from(text)),
  ...extra,
});

function setUp({ maxBytes = 100_000, now = (): number => 0 } = {}) {
  const versions: Record<string, string> = { 'GET /products': '1', 'GET /faq': '1' };
  /** What each call returns. */
  const wires: Record<string, unknown> = {};
  const versionReaders = new Map(Object.keys(versions).map((call) => [call, () => versions[call] ?? '']));
  const cache = new PageCache({ versionOf: (call) => versionReaders.get(call) ?? null, maxBytes, now });
  let repeated = 0;
  const makeCall = async (call: string): Promise<Outcome> => ({ ok: true, status: 200, wire: wires[call] ?? null });
  const repeat = async (call: string): Promise<Outcome> => {
    repeated += 1;
    return makeCall(call);
  };
  const take = async (key: string, calls: readonly string[], extra: Partial<PageResponse> = {}) => {
    const revalidation = await cache.revalidate(key, (page) => page.revalidate(repeat));
    const { response, isHit } = await cache.getOrRender(key, async (parts: PageDependencies) => {
      const { renders } = cache.counts;
      for (const call of calls) await parts.record(call, {}, () => makeCall(call));
      return createPage(`${key} ${renders}`, extra);
    });
    const hit = revalidation === 'unchanged' ? ' revalidated' : ' cached';
    return `${response.body.identity.toString()}${isHit ? hit : ''}`;
  };
  return { cache, versions, wires, take, makeCall, repeated: () => repeated };
}

const CALLS = ['GET /products', 'GET /faq'];

test('renders a page once until one of its responses changes', async () => {
  const { take, versions, wires } = setUp();
  assert.equal(await take('/', CALLS), '/ 1');
  assert.equal(await take('/', CALLS), '/ 1 cached');
  versions['GET /faq'] = '2';
  wires['GET /faq'] = 'another answer';
  assert.equal(await take('/', CALLS), '/ 2');
  assert.equal(await take('/', CALLS), '/ 2 cached');
});

test('keeps the page and its bytes when equal responses get a new version', async () => {
  const { cache, take, versions } = setUp();
  await take('/', CALLS);
  const page = cache.getFresh('/');
  versions['GET /products'] = '2';
  assert.equal(cache.getFresh('/'), null);
  assert.equal(cache.needsRevalidation('/'), true);
  assert.equal(await take('/', CALLS), '/ 1 revalidated');
  assert.equal(cache.getFresh('/'), page);
  assert.equal(await take('/', CALLS), '/ 1 cached');
  assert.deepEqual(cache.counts, { hits: 2, renders: 1, unchanged: 1, changed: 0 });
});

test('makes only the calls whose version changed, once for all pages', async () => {
  const { cache, take, versions, repeated } = setUp();
  const paths = Array.from({ length: 20 }, (_, at) => `/catalog?page=${at}`);
  for (const path of paths) await take(path, CALLS);
  versions['GET /products'] = '2';
  for (const path of paths) assert.match(await take(path, CALLS), /revalidated$/);
  assert.equal(repeated(), 1);
  assert.deepEqual(cache.counts, { hits: 20, renders: 20, unchanged: 20, changed: 0 });
});

test('shares a revalidation between concurrent requests', async () => {
  const { cache, take, versions, repeated } = setUp();
  await take('/', CALLS);
  versions['GET /faq'] = '2';
  const taken = await Promise.all(Array.from({ length: 50 }, () => take('/', CALLS)));
  assert.deepEqual(new Set(taken), new Set(['/ 1 revalidated']));
  assert.deepEqual([repeated(), cache.counts.unchanged], [1, 1]);
});

test('renders when a repeated call fails or refuses', async () => {
  const refusal = new Refusal(404, 'not-found', 'Not found');
  for (const repeat of [
    () => Promise.reject(new Error('broken')),
    () => Promise.resolve({ ok: false, refusal } as const),
  ]) {
    const { cache, take, versions } = setUp();
    await take('/', CALLS);
    versions['GET /faq'] = '2';
    assert.equal(await cache.revalidate('/', (page) => page.revalidate(repeat)), 'changed');
    assert.equal(cache.needsRevalidation('/'), false);
    assert.equal(await take('/', CALLS), '/ 2');
    assert.equal(await take('/', CALLS), '/ 2 cached');
  }
});

test('keeps a page with a refusal that stays the same', async () => {
  const { cache, versions } = setUp();
  let code = 'not-found';
  const refuse = async (): Promise<Outcome> => ({ ok: false, refusal: new Refusal(404, code, 'Not found') });
  const render = async (parts: PageDependencies): Promise<PageResponse> => {
    await parts.record('GET /products', {}, refuse);
    return createPage('sold out');
  };
  await cache.getOrRender('/', render);
  versions['GET /products'] = '2';
  assert.equal(await cache.revalidate('/', (page) => page.revalidate(refuse)), 'unchanged');
  versions['GET /products'] = '3';
  code = 'gone';
  assert.equal(await cache.revalidate('/', (page) => page.revalidate(refuse)), 'changed');
});

test('tries again after a refused revalidation', async () => {
  const { cache, take, versions } = setUp();
  await take('/', CALLS);
  versions['GET /faq'] = '2';
  await assert.rejects(cache.revalidate('/', () => Promise.reject(new Error('overloaded'))));
  assert.equal(await take('/', CALLS), '/ 1 revalidated');
});

test('a render with the same result keeps the compressed response', async () => {
  const { cache, versions, makeCall, repeated } = setUp();
  const render = async (parts: PageDependencies): Promise<PageResponse> => {
    await parts.record('GET /products', {}, () => makeCall('GET /products'));
    return createPage('the sold units are not shown');
  };
  const { response } = await cache.getOrRender('/', render);
  versions['GET /products'] = '2';
  const again = await cache.getOrRender('/', render);
  assert.deepEqual([again.isHit, again.response === response, repeated()], [false, true, 0]);
});

test('a version that returns to its value during a render is noticed', async () => {
  const { cache, versions, makeCall } = setUp();
  const render = async (parts: PageDependencies): Promise<PageResponse> => {
    for (const [at, rate] of ['1', cache.counts.renders === 1 ? '2' : '1'].entries()) {
      versions['GET /products'] = rate;
      await parts.record('GET /products', { query: { at } }, () => makeCall('GET /products'));
    }
    versions['GET /products'] = '1';
    return createPage(`render ${cache.counts.renders}`);
  };
  assert.equal((await cache.getOrRender('/', render)).response.body.identity.toString(), 'render 2');
});

test('keeps a page when other versions change', async () => {
  const { cache, take, versions } = setUp();
  await take('/free-shipping', ['GET /faq']);
  await take('/about', []);
  versions['GET /products'] = '2';
  assert.equal(cache.needsRevalidation('/free-shipping'), false);
  assert.equal(await take('/free-shipping', ['GET /faq']), '/free-shipping 1 cached');
  assert.equal(await take('/about', []), '/about 2 cached');
});

test('renders once for concurrent requests', async () => {
  const { take, cache } = setUp();
  await Promise.all(Array.from({ length: 50 }, () => take('/', ['GET /products'])));
  assert.equal(cache.counts.renders, 1);
});

test('renders again when a version changes during the render', async () => {
  const { cache, versions } = setUp();
  let price = 1;
  const slow = Promise.withResolvers<void>();
  const render = async (parts: PageDependencies): Promise<PageResponse> => {
    await parts.record('GET /products', {}, async () => ({ ok: true, status: 200, wire: price }));
    const shown = price;
    if (shown === 1) await slow.promise;
    return createPage(`price ${shown}`);
  };
  const both = [cache.getOrRender('/', render), cache.getOrRender('/', render)];
  await Promise.resolve();
  price = 2;
  versions['GET /products'] = '2';
  slow.resolve();
  for (const entry of both) assert.equal((await entry).response.body.identity.toString(), 'price 2');
});

test('does not cache failures, missing pages, cookies and unversioned calls', async () => {
  const { take, cache } = setUp();
  for (const [calls, extra] of [
    [['GET /cart'], {}],
    [['GET /products'], { status: 404 }],
    [['GET /products'], { status: 500 }],
    [['GET /products'], { cookies: ['a=1'] }],
  ] satisfies [string[], Partial<PageResponse>][]) {
    await take('/', calls, extra);
    assert.doesNotMatch(await take('/', calls, extra), /cached/);
  }
  const renderFailing = () =>
    cache.getOrRender('/failing', async (parts) => {
      parts.markFailed();
      return createPage('a part is missing');
    });
  await renderFailing();
  assert.equal((await renderFailing()).isHit, false);
  assert.equal(cache.bytes, 0);
});

test('rejects all waiting requests when a render throws, then retries', async () => {
  const { cache, take } = setUp();
  const renderBroken = () => cache.getOrRender('/', () => Promise.reject(new Error('broken')));
  for (const outcome of await Promise.allSettled([renderBroken(), renderBroken()]))
    assert.equal(outcome.status, 'rejected');
  assert.equal(await take('/', []), '/ 2');
});

test('stays within its byte limit for any number of URLs', async () => {
  const { cache, take } = setUp({ maxBytes: 16_000 });
  for (let index = 0; index < 500; index += 1) await take(`/catalog/product/${index}`, ['GET /products']);
  assert.ok(cache.bytes <= 8_000 && cache.bytes > 6_000);
  for (let index = 0; index < 500; index += 1) await take(`/catalog?price_min=${index}`, ['GET /products']);
  assert.ok(cache.bytes <= 16_000 && cache.bytes > 12_000);
  // Queries, which visitors make up, evict no page without one.
  assert.match(await take('/catalog/product/499', ['GET /products']), /cached$/);
});

test('[OPS-32] an outdated page is recent for ten minutes after it was fresh', async () => {
  let time = 0;
  const { cache, take, versions } = setUp({ now: () => time });
  await take('/', CALLS);
  time += 9 * 60_000;
  assert.equal(await take('/', CALLS), '/ 1 cached');
  versions['GET /faq'] = '2';
  time += 9 * 60_000;
  assert.equal(cache.getFresh('/'), null);
  assert.equal(cache.getRecent('/')?.body.identity.toString(), '/ 1');
  assert.equal(cache.getRecent('/other'), null);
  time += 60_000;
  assert.equal(cache.getRecent('/'), null);
});
