/** The product feed over HTTP: content, conditional requests and limits. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fastify } from 'fastify';
import { Refusal } from '#src/platform/http/call.ts';
import { registerXmlFeed } from '#src/platform/http/xml-feed.ts';
import './support/built-pages.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { getStaffToken } from './support/staff-fixtures.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

const PUBLIC_URL = 'https://market.example';
const FEED = '/products.xml';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { PUBLIC_URL } });
});
after(() => shop.stop());

const get = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(`${shop.url}${FEED}`, { method, headers });
const read = (item: string, name: string): string => item.split(`<${name}>`)[1]?.split(`</${name}>`)[0] ?? '';
const readItems = async () => (await (await get()).text()).split('<item>').slice(1);

test('[OPS-08] lists each sold variant with its price and a link that chooses it', async () => {
  const response = await get();
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/xml; charset=utf-8');
  const xml = await response.text();
  assert.ok(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'));
  assert.ok(xml.endsWith('</channel>\n</rss>\n'));
  assert.equal(read(xml, 'title'), 'Crypto Market');
  const items = new Map((await readItems()).map((item) => [read(item, 'g:id'), item]));
  const products = listAt((await shop.api('GET', '/products?limit=500')).body);
  let expected = 0;
  for (const product of products) {
    const { body: detail } = await shop.api('GET', `/products/${textAt(product, 'slug')}`);
    for (const variant of listAt(detail, 'variants')) {
      const item = items.get(textAt(variant, 'sku')) ?? assert.fail(textAt(variant, 'sku'));
      assert.equal(read(item, 'g:price'), `${numberAt(variant, 'price_usd').toFixed(2)} USD`);
      expected += 1;
    }
  }
  assert.equal(items.size, expected);
  for (const item of [...items.values()].filter((_, at) => at % 60 === 7)) {
    const link = new URL(read(item, 'g:link').replaceAll('&amp;', '&'));
    assert.equal(link.origin, PUBLIC_URL);
    const html = await (await fetch(shop.url + link.pathname + link.search)).text();
    assert.ok(html.includes(`"sku":"${read(item, 'g:id')}"`), link.href);
    assert.ok(html.includes(`"price":"${read(item, 'g:price').split(' ')[0]}"`), link.href);
    assert.ok(html.includes(`<link rel="canonical" href="${PUBLIC_URL}${link.pathname}"`), link.href);
    const picture = new URL(read(item, 'g:image_link'));
    const sent = await fetch(shop.url + picture.pathname);
    assert.equal(sent.headers.get('content-type'), 'image/jpeg', picture.href);
  }
});

test('[OPS-08] answers HEAD and conditional requests without content', async () => {
  const head = await get({}, 'HEAD');
  assert.equal(head.status, 200);
  const tag = head.headers.get('etag') ?? '';
  assert.match(tag, /^W\/"[\w-]+"$/);
  /** Reads all of it: a client gets one document at a time. */
  const readAll = async (headers: Readonly<Record<string, string>>): Promise<Response> => {
    const response = await get(headers);
    await response.arrayBuffer();
    return response;
  };
  assert.equal((await readAll({})).headers.get('etag'), tag);
  for (const sent of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
    const response = await get({ 'if-none-match': sent });
    assert.equal(response.status, 304, sent);
    assert.equal(await response.text(), '');
  }
  assert.equal((await readAll({ 'if-none-match': '"other"' })).status, 200);
  assert.equal((await readAll({ 'accept-encoding': 'gzip' })).headers.get('content-encoding'), 'gzip');
  assert.equal((await readAll({ 'accept-encoding': 'identity' })).headers.get('content-encoding'), null);
});

test('[OPS-08] [OPS-10] shows changes of price and stock with another version', async () => {
  const token = await getStaffToken(shop);
  const tag = (await get({}, 'HEAD')).headers.get('etag') ?? '';
  const [first = ''] = await readItems();
  const sku = read(first, 'g:id');
  const { body } = await shop.api('GET', `/inventory?q=${encodeURIComponent(sku)}`, { token });
  const found = listAt(body, 'variants').find((one) => textAt(one, 'sku') === sku);
  const change = { of: 'available', quantity: 0, seen: null, reason: 'counted' };
  const changed = await shop.api('PUT', `/inventory/${textAt(found, 'variant_id')}`, { token, body: change });
  assert.equal(changed.status, 200);
  await waitUntil(async () => (await get({ 'if-none-match': tag }, 'HEAD')).status === 200);
  const [next = ''] = await readItems();
  assert.equal(read(next, 'g:id'), sku);
  assert.equal(read(next, 'g:availability'), 'out_of_stock');
});

test('[OPS-08] sends a limited number of feeds at once and per client', async () => {
  const server = fastify({ trustProxy: true });
  const release = Promise.withResolvers<void>();
  let refused = false;
  registerXmlFeed(server, {
    path: FEED,
    getVersion: () => '1',
    generate: async function* () {
      yield '<a>';
      await release.promise;
      yield '</a>';
    },
    checkLimit: async () => (refused ? new Refusal(429, 'too-often', 'Too often', { retryAfterSeconds: 9 }) : null),
    onError: (error) => assert.fail(error),
  });
  const url = `${await server.listen({ port: 0, host: '127.0.0.1' })}${FEED}`;
  const fetchAs = (client: number) => fetch(url, { headers: { 'x-forwarded-for': `198.51.100.${client}` } });
  const first = await Promise.all([1, 1, 1].map(fetchAs));
  // One of a client, and four of all clients.
  assert.deepEqual(
    first.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 429, 429],
  );
  const others = await Promise.all([2, 3, 4].map(fetchAs));
  const open = [...first, ...others].filter(({ status }) => status === 200);
  assert.equal(open.length, 4);
  const busy = await fetchAs(5);
  assert.equal(busy.status, 503);
  assert.equal(busy.headers.get('etag'), null);
  assert.equal((await fetch(url, { method: 'HEAD' })).status, 200);
  release.resolve();
  for (const response of open) assert.equal(await response.text(), '<a></a>');
  assert.equal(await (await fetch(url)).text(), '<a></a>');
  refused = true;
  assert.equal((await fetchAs(6)).status, 429);
  const limited = await fetch(url);
  assert.equal(`${limited.status} ${limited.headers.get('retry-after')}`, '429 9');
  await server.close();
});

test('[OPS-08] sends the feed after a check of the limit failed', async () => {
  const server = fastify();
  const checks = [() => Promise.reject(new Error('no database')), () => Promise.resolve(null)];
  registerXmlFeed(server, {
    path: FEED,
    getVersion: () => '1',
    generate: async function* () {
      yield '<a></a>';
    },
    checkLimit: () => checks.shift()?.() ?? Promise.resolve(null),
    onError: (error) => assert.fail(error),
  });
  const responses = [await server.inject(FEED), await server.inject(FEED)];
  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode),
    [500, 200],
  );
  await server.close();
});
