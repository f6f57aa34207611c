/** What the shop refuses under overload, and what it never refuses. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { CatalogueEditor } from './support/catalogue-editor.ts';
import { sendRawRequest } from './support/raw-call.ts';
import type { RawResponse } from './support/raw-call.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { waitUntil } from './support/wait-until.ts';

/** A trusted proxy: its header distinguishes the clients. */
const SETTINGS = { RATE_LIMITS: 'on', TRUST_PROXY: '1' };
/** Of render-limit.ts. */
const RENDERS = 40;

let shop: SpawnedShop;
before(async () => {
  shop = await startSpawnedShop({ settings: SETTINGS });
});
after(() => shop.stop());

let searches = 0;
const createSearchPath = (): string => `/search-results?query=nothing-${(searches += 1)}`;
const get = (path: string, address: string): Promise<RawResponse> =>
  sendRawRequest(shop.url, { method: 'GET', path, headers: { 'x-forwarded-for': address } });
const isHit = ({ headers }: RawResponse): boolean => headers['cache-status'] === 'pages; hit';

/** Requests a page until it is in the cache. */
const keep = (path: string): Promise<void> => waitUntil(async () => isHit(await get(path, '198.51.100.7')));

/** Requests more pages than one client may, until one is refused for that reason. */
async function waitForRefusal(path: () => string, address: () => string): Promise<RawResponse> {
  for (let tries = 0; tries < 20; tries += 1) {
    const responses = await Promise.all(Array.from({ length: RENDERS + 10 }, () => get(path(), address())));
    const refused = responses.find(({ status }) => status === 429);
    if (refused) return refused;
  }
  return assert.fail('nothing was refused');
}

test('[OPS-26] limits uncached pages per address with 429 and Retry-After', async () => {
  const address = '198.51.100.1';
  await keep('/catalog');
  const refused = await waitForRefusal(createSearchPath, () => address);
  const seconds = Number(refused.headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 10, String(seconds));
  assert.match(String(refused.headers['content-type']), /^text\/html/);
  assert.equal(refused.headers['cache-control'], 'no-store');
  assert.match(refused.text, /<h1>Try again in a moment<\/h1>.*You opened too many pages/s);
  // A cached page under any spelling of its URL, a search of another client, and a private page.
  for (const path of ['/catalog', '/catalog?utm_source=mail']) {
    const cached = await get(path, address);
    assert.deepEqual([cached.status, isHit(cached)], [200, true], path);
  }
  // On a busy machine these may be shed, but not because of the first client.
  assert.notEqual((await get(createSearchPath(), '198.51.100.2')).status, 429);
  assert.notEqual((await get('/cart', address)).status, 429);
});

test('[OPS-26] limits every request that renders a page', async () => {
  const ways: readonly (readonly [string, () => string])[] = [
    ['198.51.100.3', () => createSearchPath().replace('/search-results?query=', '/no-such-page-')],
    ['198.51.100.4', () => '/login'],
    ['198.51.100.6', () => '/sitemap.xml'],
    ['198.51.100.5', () => createSearchPath().replace('?', '.data?')],
  ];
  for (const [address, path] of ways) {
    const refused = await waitForRefusal(path, () => address);
    // The page's own script receives a message that it can show.
    if (!path().includes('.data')) continue;
    assert.deepEqual(
      [refused.headers['content-type'], refused.text],
      ['text/plain; charset=utf-8', 'You opened too many pages in a short time.'],
    );
  }
});

test('[OPS-26] counts an IPv6 /64 as one address', async () => {
  let host = 0;
  await waitForRefusal(createSearchPath, () => `2001:db8:1:2::${(host += 1).toString(16)}`);
  assert.notEqual((await get(createSearchPath(), '2001:db8:1:3::1')).status, 429);
});

/** More concurrent requests than any queue takes, each from another address. */
async function flood(path: () => string, count: number): Promise<RawResponse[]> {
  const responses = Array.from({ length: count }, (_, index) =>
    sendRawRequest(
      shop.url,
      { method: 'GET', path: path(), headers: { 'x-forwarded-for': `203.0.${index >> 8}.${index & 255}` } },
      count,
    ),
  );
  return Promise.all(responses);
}

test('[OPS-26] sheds searches beyond the queue with 503 and serves cached pages', async () => {
  const cached = '/catalog/product/iphone-17-pro';
  await keep(cached);
  const flooding = flood(createSearchPath, 600);
  const beside = await flood(() => cached, 50);
  const responses = await flooding;
  const shed = responses.filter(({ status }) => status === 503);
  assert.ok(shed.length > 0, 'something was shed');
  assert.ok(
    responses.every(({ status }) => status === 200 || status === 503),
    [...new Set(responses.map(({ status }) => status))].join(),
  );
  assert.ok(responses.some(({ status }) => status === 200));
  for (const { headers, text } of shed) {
    assert.ok(Number(headers['retry-after']) >= 1);
    assert.match(text, /The shop is very busy/);
  }
  assert.ok(beside.every((response) => response.status === 200 && isHit(response)));
});

test('[OPS-26] sheds API searches with 503, JSON and Retry-After', async () => {
  const responses = await flood(() => `/api/products?q=nothing-${(searches += 1)}`, 1_500);
  const shed = responses.filter(({ status }) => status === 503);
  assert.ok(shed.length > 0, 'something was shed');
  for (const { headers, text } of shed) {
    assert.equal(headers['retry-after'], '2');
    assert.deepEqual(JSON.parse(text), {
      error: { code: 'overloaded', message: 'The shop is very busy. Please try again in a moment.' },
    });
  }
});

test('[OPS-26] RATE_LIMITS=off disables page limits', async () => {
  const open = await startSpawnedShop();
  try {
    for (let index = 0; index < RENDERS * 2; index += 1) {
      const { status } = await sendRawRequest(open.url, { method: 'GET', path: createSearchPath() });
      assert.equal(status, 200);
    }
  } finally {
    await open.stop();
  }
});

const ADDRESSES = 200;
const SEARCHES_PER_SECOND = 300;
/** Longer than the cache of pages took to be filled by searches. */
const SEARCHED_BEFORE = 900;

/** Sends searches that nobody has made before. */
function startSearches(): { readonly countSent: () => number; readonly stop: () => Promise<readonly number[]> } {
  const sent: Promise<number>[] = [];
  const timer = setInterval(() => {
    for (let index = 0; index < SEARCHES_PER_SECOND / 20; index += 1) {
      const headers = { 'x-forwarded-for': `192.0.2.${sent.length % ADDRESSES}` };
      const request = { method: 'GET', path: createSearchPath(), headers };
      sent.push(sendRawRequest(shop.url, request, 1_000).then(({ status }) => status));
    }
  }, 50);
  return {
    countSent: () => sent.length,
    stop: () => {
      clearInterval(timer);
      return Promise.all(sent);
    },
  };
}

/** Changes what the pages of these products show. */
async function raisePrices(ids: readonly string[]): Promise<void> {
  const editor = await CatalogueEditor.open(shop);
  const change = { kind: 'price-percent', percent: 1 };
  await waitUntil(async () => {
    const preview = await editor.call('POST', '/bulk-edits/preview', { ids, change });
    // The overload may refuse calls of staff too.
    if (preview.status !== 200) return false;
    const edited = listAt(preview.body, 'changes').map((one) => ({
      id: textAt(one, 'id'),
      version: numberAt(one, 'version'),
    }));
    return (await editor.call('POST', '/bulk-edits', { products: edited, change })).status === 200;
  });
}

/** Status of a page, and where it came from. */
const readUse = async (page: string): Promise<string> => {
  const { status, headers } = await get(page, '198.51.100.9');
  return `${page} ${status} ${String(headers['cache-status'])}`;
};

test('[OPS-26] [OPS-32] serves cached pages while searches and changes are new', async () => {
  const { body: products } = await shop.api('GET', '/products?limit=20');
  const slugs = listAt(products).map((product) => textAt(product, 'slug'));
  const pages = ['/', '/catalog', '/free-shipping', '/how-to-buy', ...slugs.map((slug) => `/catalog/product/${slug}`)];
  for (const page of pages) await keep(page);
  const searching = startSearches();
  await waitUntil(() => searching.countSent() > SEARCHED_BEFORE);
  const unchanged: string[] = [];
  for (const page of pages) unchanged.push(await readUse(page));
  await raisePrices(listAt(products).map((product) => textAt(product, 'id')));
  const changed: string[] = [];
  for (const page of pages) changed.push(await readUse(page));
  const statuses = await searching.stop();
  assert.deepEqual(
    unchanged,
    pages.map((page) => `${page} 200 pages; hit`),
  );
  assert.deepEqual(
    changed.filter((line) => !line.includes(' 200 pages; ')),
    [],
  );
  assert.ok(statuses.includes(503), 'searches were shed');
});
