/** Cached pages and API responses equal fresh ones, are the same for everybody, and never stale. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import './support/built-pages.ts';
import { listAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

const PRODUCT = '/catalog/product/iphone-17-pro';
const billing = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  region: 'Europe',
  country: 'GB',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4AA',
};

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The raw response: `fetch` would decompress it. */
function requestRaw(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(`${shop.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const isHit = ({ headers }: Raw): boolean => headers['cache-status'] === 'pages; hit';
const removeVolatileHeaders = ({ headers }: Raw): object => ({
  ...headers,
  date: null,
  'x-request-id': null,
  'cache-status': null,
  'content-length': null,
  'content-encoding': null,
});

async function listPublicPaths(): Promise<string[]> {
  const sitemap = (await requestRaw('/sitemap.xml')).body.toString();
  return [...sitemap.matchAll(/<loc>([^<]+)</g)].map(([, url = '']) => new URL(url).pathname);
}

test('caches every page of the sitemap and its data in every encoding', async () => {
  const paths = await listPublicPaths();
  assert.ok(paths.length > 40);
  for (const path of [...paths, '/_.data', '/catalog.data', `${PRODUCT}.data`, '/search-results?query=air']) {
    const first = await requestRaw(path);
    assert.equal(first.status, 200, path);
    if (!path.includes('.data'))
      assert.match(first.body.toString(), /^<!DOCTYPE html><html lang="en"><head><meta charSet/);
    assert.equal(isHit(first), false, path);
    for (const [accepted, decoded] of [
      ['identity', (body: Buffer) => body],
      ['gzip', (body: Buffer) => gunzipSync(body)],
      ['gzip, br', (body: Buffer) => brotliDecompressSync(body)],
      ['gzip, br', (body: Buffer) => brotliDecompressSync(body)],
    ] as const) {
      const cached = await requestRaw(path, { 'accept-encoding': accepted });
      assert.ok(isHit(cached), `${path} ${accepted}`);
      assert.deepEqual(removeVolatileHeaders(cached), removeVolatileHeaders(first), path);
      assert.ok(decoded(cached.body).equals(first.body), `${path} ${accepted}`);
    }
  }
});

test('a cached page has its own policy and all common headers', async () => {
  await requestRaw('/');
  const { headers, body } = await requestRaw('/');
  const policy = String(headers['content-security-policy']);
  for (const [, tag = '', attributes = '', text = ''] of body
    .toString()
    .matchAll(/<(script|style)(\s[^>]*)?>([\s\S]*?)<\/\1>/g)) {
    // Not a script, so it is not executed.
    if (attributes.includes('json"')) continue;
    const hash = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    assert.match(policy, new RegExp(`${tag}-src 'self'[^;]*${hash.replaceAll('+', '\\+')}`));
  }
  const other = await requestRaw('/healthz');
  for (const name of Object.keys(other.headers)) assert.ok(headers[name] !== undefined, name);
  assert.notEqual(headers['x-request-id'], (await requestRaw('/')).headers['x-request-id']);
});

test('[CART-08] cached pages ignore cookies and set none', async () => {
  const nobody = await requestRaw(PRODUCT);
  const cookie = 'guest_user_id=abc; session=def';
  const somebody = await requestRaw(PRODUCT, { cookie, authorization: 'Bearer x', 'user-agent': 'another' });
  assert.ok(somebody.body.equals(nobody.body));
  assert.equal(somebody.headers['set-cookie'], undefined);
  for (const path of ['/cart', '/login', '/dashboard', '/dev/wallet']) {
    const first = await requestRaw(path, { cookie });
    const second = await requestRaw(path, { cookie });
    for (const { headers } of [first, second]) {
      assert.equal(headers['cache-status'], undefined, path);
      assert.equal(headers['cache-control'], 'private, no-store', path);
    }
  }
});

test('returns 304 to a matching ETag, and HEAD like GET', async () => {
  const page = await requestRaw(PRODUCT);
  const etag = String(page.headers['etag']);
  for (const known of [etag, `"other", ${etag}`]) {
    const unchanged = await requestRaw(PRODUCT, { 'if-none-match': known });
    assert.equal(unchanged.status, 304);
    assert.equal(unchanged.headers['etag'], etag);
    assert.equal(unchanged.body.length, 0);
  }
  assert.equal((await requestRaw(PRODUCT, { 'if-none-match': '"other"' })).status, 200);
  const head = await requestRaw(PRODUCT, {}, 'HEAD');
  assert.equal(head.body.length, 0);
  assert.deepEqual(
    { ...removeVolatileHeaders(head), 'content-length': head.headers['content-length'] },
    { ...removeVolatileHeaders(page), 'content-length': String(page.body.length) },
  );
});

test('ignores parameters without effect and caches no error', async () => {
  await requestRaw('/catalog');
  for (const path of ['/catalog?utm_source=mail', '/catalog?fbclid=1&x[]=2', '/?gclid=1', `${PRODUCT}?from=search`]) {
    const response = await requestRaw(path);
    assert.ok(isHit(response), path);
    assert.equal(response.headers['etag'], (await requestRaw(path.split('?')[0] ?? '')).headers['etag']);
  }
  const sorted = await requestRaw('/catalog?sort=price_desc');
  assert.equal(isHit(sorted), false);
  assert.ok(!sorted.body.equals((await requestRaw('/catalog')).body));
  assert.ok(isHit(await requestRaw('/catalog?utm_source=mail&sort=price_desc')));
  for (const path of ['/nowhere', '/catalog/product/none', '/catalog/category/none']) {
    await requestRaw(path);
    const again = await requestRaw(path);
    assert.equal(again.status, 404);
    assert.equal(isHit(again), false, path);
  }
});

test('caches API responses with ETag and compression', async () => {
  const list = await requestRaw('/api/products?limit=7');
  const etag = String(list.headers['etag']);
  assert.equal(
    list.headers['x-total-count'],
    String(listAt((await shop.api('GET', '/products?limit=500')).body).length),
  );
  assert.equal((await requestRaw('/api/products?limit=7', { 'if-none-match': etag })).status, 304);
  const packed = await requestRaw('/api/products?x=1&limit=7', { 'accept-encoding': 'br' });
  assert.deepEqual(removeVolatileHeaders(packed), removeVolatileHeaders(list));
  assert.ok(packed.body.length < list.body.length / 2);
  assert.ok(brotliDecompressSync(packed.body).equals(list.body));
  const found = listAt(JSON.parse(list.body.toString()));
  assert.equal(found.length, 7);
  assert.notEqual((await requestRaw('/api/products?limit=8')).headers['etag'], etag);
  assert.equal((await requestRaw('/api/products?limit=0')).status, 400);
  assert.equal((await requestRaw('/api/products/none')).status, 404);
  for (const path of ['/api/cart', '/api/cart/guest'])
    assert.equal((await requestRaw(path)).headers['etag'], undefined, path);
  assert.equal((await requestRaw('/api/products', { authorization: 'Bearer bad' })).status, 401);
});

test('a sale updates every page that shows the product', async () => {
  await requestRaw('/catalog?sort=best_sold');
  const earlier = await requestRaw('/catalog?sort=best_sold');
  assert.ok(isHit(earlier));
  const products = listAt((await shop.api('GET', '/products?sort=best_sold&limit=500')).body);
  const last = products.at(-1);
  const [id, slug] = [textAt(last, 'id'), textAt(last, 'slug')];

  const credentials = { username: 'many', password: 'a long enough password' };
  await shop.api('POST', '/users/register', { body: { ...credentials, email: 'many@example.com' } });
  const signedIn = await shop.api('POST', '/users/login', { body: credentials });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  await shop.api('POST', '/cart/add', { token, body: { product_id: id, quantity: 99 } });
  const order = await shop.api('POST', '/cart/checkout', { token, body: billing });
  assert.equal(order.status, 201, JSON.stringify(order.body));
  await shop.api('POST', '/dev/pay', { body: { order_id: textAt(order.body, 'order', 'id') } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });

  const sold = listAt((await shop.api('GET', '/products?sort=best_sold&limit=500')).body);
  const findPosition = (list: readonly unknown[]): number => list.findIndex((one) => textAt(one, 'slug') === slug);
  assert.ok(findPosition(sold) < findPosition(products), 'it is sold more than before');
  const later = await requestRaw('/catalog?sort=best_sold');
  assert.equal(isHit(later), false);
  assert.ok(!later.body.equals(earlier.body));
  assert.ok(isHit(await requestRaw('/catalog?sort=best_sold')));
});

test('a cached page equals that of a newly started shop', async () => {
  const paths = [
    '/',
    '/catalog',
    '/catalog/category/iphone?sort=price_desc',
    PRODUCT,
    '/promo',
    '/terms',
    '/how-to-buy',
  ];
  const cached = await Promise.all(paths.map((path) => requestRaw(path)));
  await shop.restart();
  for (const [index, path] of paths.entries()) {
    const fresh = await requestRaw(path);
    assert.equal(isHit(fresh), false);
    assert.ok(cached[index]?.body.equals(fresh.body), path);
    assert.deepEqual(cached[index] && removeVolatileHeaders(cached[index]), removeVolatileHeaders(fresh), path);
  }
});
