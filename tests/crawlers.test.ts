/** Responses to search engines and link previews. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fastify } from 'fastify';
import { registerCrawlerFiles } from '#src/platform/http/crawler-files.ts';
import './support/built-pages.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

const PUBLIC_URL = 'https://market.example';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { PUBLIC_URL } });
});
after(() => shop.stop());

const get = (path: string) => fetch(`${shop.url}${path}`, { redirect: 'manual' });
const readPage = async (path: string): Promise<string> => (await get(path)).text();
const findAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, match = '']) => match);

function readJsonLd(html: string): Map<string, unknown> {
  const list: unknown[] = findAll(html, /<script type="application\/ld\+json">(.*?)<\/script>/gs).map((text): unknown =>
    JSON.parse(text),
  );
  return new Map(list.map((item) => [textAt(item, '@type'), item]));
}

test('lists every public page once with its canonical URL', async () => {
  const sitemap = await get('/sitemap.xml');
  assert.match(sitemap.headers.get('content-type') ?? '', /^application\/xml/);
  const urls = findAll(
    await sitemap.text(),
    /<url><loc>([^<]+)<\/loc><lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod><\/url>/g,
  );
  assert.equal(new Set(urls).size, urls.length);
  const products = listAt((await shop.api('GET', '/products?limit=500')).body).map((row) => textAt(row, 'slug'));
  const categories = listAt((await shop.api('GET', '/categories')).body).map((row) => textAt(row, 'slug'));
  for (const path of [
    '/',
    '/catalog',
    '/terms',
    '/privacy',
    '/returns',
    '/how-to-buy',
    '/free-shipping',
    '/promo',
    '/contact',
    ...categories.map((slug) => `/catalog/category/${slug}`),
    ...products.map((slug) => `/catalog/product/${slug}`),
  ]) {
    assert.ok(urls.includes(PUBLIC_URL + path), path);
  }
  const titles = new Map<string, string>();
  for (const url of urls) {
    const response = await get(new URL(url).pathname);
    assert.equal(response.status, 200, url);
    const html = await response.text();
    const [, head = ''] = /<head>(.*?)<\/head>/s.exec(html) ?? [];
    assert.deepEqual(findAll(head, /<link rel="canonical" href="([^"]*)"/g), [url]);
    assert.deepEqual(findAll(head, /<meta property="og:url" content="([^"]*)"/g), [url]);
    assert.doesNotMatch(head, /name="robots"/);
    const [title = '', ...moreTitles] = findAll(head, /<title>([^<]+)<\/title>/g);
    const [description = '', ...moreDescriptions] = findAll(head, /<meta name="description" content="([^"]+)"/g);
    assert.deepEqual([...moreTitles, ...moreDescriptions], [], url);
    assert.ok(title.length > 10 && title.length <= 70, `${url}: ${title}`);
    assert.ok(description.length > 30 && description.length <= 200, `${url}: ${description}`);
    assert.equal(titles.get(title), undefined, `${url} has the title of another page`);
    titles.set(title, url);
    for (const name of ['og:title', 'twitter:title']) {
      assert.deepEqual(findAll(head, new RegExp(`="${name}" content="([^"]*)"`, 'g')), [title], url);
    }
    for (const name of ['og:description', 'twitter:description']) {
      assert.deepEqual(findAll(head, new RegExp(`="${name}" content="([^"]*)"`, 'g')), [description], url);
    }
    const [picture = ''] = findAll(head, /<meta property="og:image" content="([^"]*)"/g);
    assert.equal(new URL(picture).origin, PUBLIC_URL);
    assert.match((await get(new URL(picture).pathname)).headers.get('content-type') ?? '', /^image\//, picture);
  }
});

test('excludes private pages by noindex and robots.txt', async () => {
  const robots = await readPage('/robots.txt');
  for (const path of ['/cart', '/dashboard', '/login', '/dev', '/api/', '/admin']) {
    assert.ok(robots.includes(`\nDisallow: ${path}\n`), path);
  }
  assert.ok(robots.includes('\nAllow: /api/images/\n'));
  assert.ok(robots.endsWith(`\nSitemap: ${PUBLIC_URL}/sitemap.xml\n`));
  for (const path of [
    '/cart',
    '/login',
    '/registration',
    '/nowhere',
    '/catalog/product/none',
    '/search-results?query=a',
    '/compare?products=iphone-air',
  ]) {
    const html = await readPage(path);
    assert.equal(findAll(html, /<meta name="robots" content="(noindex)"/g).length, 1, path);
    assert.doesNotMatch(html, /rel="canonical"/, path);
  }
});

test('describes a product with offer, brand, ratings and breadcrumb', async () => {
  const items = readJsonLd(await readPage('/catalog/product/iphone-17-pro'));
  const product = items.get('Product');
  assert.equal(textAt(product, 'offers', 'price'), '1099.00');
  assert.equal(textAt(product, 'offers', 'priceCurrency'), 'USD');
  assert.equal(textAt(product, 'offers', 'availability'), 'https://schema.org/InStock');
  assert.equal(textAt(product, 'offers', 'url'), `${PUBLIC_URL}/catalog/product/iphone-17-pro`);
  assert.equal(textAt(product, 'brand', 'name'), 'Apple');
  assert.ok(textAt(product, 'sku').length > 0);
  const reviews = listAt((await shop.api('GET', '/reviews/product/iphone-17-pro')).body);
  const sum = reviews.reduce<number>((total, review) => total + numberAt(review, 'rating'), 0);
  assert.equal(numberAt(product, 'aggregateRating', 'reviewCount'), reviews.length);
  assert.ok(Math.abs(numberAt(product, 'aggregateRating', 'ratingValue') - sum / reviews.length) <= 0.05);
  const trail = listAt(items.get('BreadcrumbList'), 'itemListElement').map((row) => textAt(row, 'item'));
  assert.deepEqual(
    trail,
    ['/catalog', '/catalog/category/iphone', '/catalog/product/iphone-17-pro'].map((path) => PUBLIC_URL + path),
  );
});

test('describes the shop and its search on the home page', async () => {
  const items = readJsonLd(await readPage('/'));
  assert.equal(textAt(items.get('Organization'), 'name'), 'Crypto Market');
  const target = textAt(items.get('WebSite'), 'potentialAction', 'target');
  const search = new URL(target.replace('{search_term_string}', 'air'));
  assert.equal((await get(search.pathname + search.search)).status, 200);
});

test('redirects other spellings of a URL to the canonical one', async () => {
  const moves = {
    '/catalog/': '/catalog',
    '/Catalog/Product/AirTag?from=mail': '/catalog/product/airtag?from=mail',
    '/product/airtag': '/catalog/product/airtag',
  };
  for (const [from, to] of Object.entries(moves)) {
    const response = await get(from);
    assert.equal(response.status, 301, from);
    assert.equal(response.headers.get('location'), to);
  }
});

test('splits a sitemap above the maximum size', async () => {
  const server = fastify();
  const changedAt = new Date('2026-01-02T03:04:05Z');
  const pages = Array.from({ length: 7 }, (_, index) => ({ path: `/p${index}?a&b`, changedAt }));
  registerCrawlerFiles(server, { origin: PUBLIC_URL, allowed: [], disallowed: [], listPages: () => pages, maxUrls: 3 });
  const read = async (path: string) => (await server.inject(path)).body;
  const parts = findAll(await read('/sitemap.xml'), /<sitemap><loc>([^<]+)<\/loc><lastmod>2026-01-02T03:04:05\.000Z</g);
  assert.deepEqual(
    parts,
    [1, 2, 3].map((part) => `${PUBLIC_URL}/sitemap-${part}.xml`),
  );
  const urls: string[] = [];
  for (const part of parts) urls.push(...findAll(await read(new URL(part).pathname), /<url><loc>([^<]+)</g));
  assert.deepEqual(
    urls,
    pages.map(({ path }) => `${PUBLIC_URL}${path.replace('&', '&amp;')}`),
  );
  for (const none of ['0', '4', 'x', '1e0']) {
    assert.equal((await server.inject(`/sitemap-${none}.xml`)).statusCode, 404, none);
  }
  await server.close();
});
