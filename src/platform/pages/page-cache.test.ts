import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageCache } from './page-cache.ts';
import type { PageResponse, PageDependencies } from './page-cache.ts';
import { CompressedBody } from './compressed-body.ts';

const createPage = (text: string, extra: Partial<PageResponse> = {}): PageResponse => ({
  status: 200,
  headers: {},
  cookies: [],
  body: new CompressedBody(Buffer.from(text)),
  ...extra,
});

function setUp({ maxBytes = 100_000 } = {}) {
  const versions: Record<string, string> = { 'GET /products': '1', 'GET /faq': '1' };
  const versionReaders = new Map(Object.keys(versions).map((call) => [call, () => versions[call] ?? '']));
  const cache = new PageCache({ versionOf: (call) => versionReaders.get(call) ?? null, maxBytes });
  let renders = 0;
  const take = async (key: string, calls: readonly string[], extra: Partial<PageResponse> = {}) => {
    const { response, isHit } = await cache.getOrRender(key, async (parts: PageDependencies) => {
      renders += 1;
      for (const call of calls) parts.addCall(call);
      await Promise.resolve();
      return createPage(`${key} ${renders}`, extra);
    });
    return `${response.body.identity.toString()}${isHit ? ' cached' : ''}`;
  };
  return { cache, versions, take, renders: () => renders };
}

test('renders a page once until one of its versions changes', async () => {
  const { take, versions } = setUp();
  assert.equal(await take('/', ['GET /products', 'GET /faq']), '/ 1');
  assert.equal(await take('/', ['GET /products', 'GET /faq']), '/ 1 cached');
  versions['GET /faq'] = '2';
  assert.equal(await take('/', ['GET /products', 'GET /faq']), '/ 2');
  assert.equal(await take('/', ['GET /products', 'GET /faq']), '/ 2 cached');
});

test('keeps a page when other versions change', async () => {
  const { take, versions } = setUp();
  await take('/free-shipping', ['GET /faq']);
  await take('/about', []);
  versions['GET /products'] = '2';
  assert.equal(await take('/free-shipping', ['GET /faq']), '/free-shipping 1 cached');
  assert.equal(await take('/about', []), '/about 2 cached');
});

test('renders once for concurrent requests', async () => {
  const { take, renders } = setUp();
  await Promise.all(Array.from({ length: 50 }, () => take('/', ['GET /products'])));
  assert.equal(renders(), 1);
});

test('renders again when a version changes during the render', async () => {
  const { cache, versions } = setUp();
  let price = 1;
  const slow = Promise.withResolvers<void>();
  const render = async (parts: PageDependencies): Promise<PageResponse> => {
    parts.addCall('GET /products');
    const shown = price;
    if (shown === 1) await slow.promise;
    return createPage(`price ${shown}`);
  };
  const both = [cache.getOrRender('/', render), cache.getOrRender('/', render)];
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
  assert.equal(await take('/', []), '/ 1');
});

test('stays within its byte limit for any number of URLs', async () => {
  const { cache, take } = setUp({ maxBytes: 4000 });
  for (let index = 0; index < 500; index += 1) await take(`/catalog?price_min=${index}`, ['GET /products']);
  assert.ok(cache.bytes <= 4000 && cache.bytes > 3000);
});
