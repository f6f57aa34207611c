/** After an edit only those pages are rendered that show what changed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { consumeRevalidationLimit } from '#src/platform/pages/render-limit.ts';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import './support/built-pages.ts';
import { openPageShop } from './support/page-shop.ts';
import type { PageShop } from './support/page-shop.ts';
import { waitUntil } from './support/wait-until.ts';

const MISS = 'pages; fwd=miss';
const HIT = 'pages; hit';
const REVALIDATED = 'pages; hit; detail=revalidated';
const CHANGED = 'pages; fwd=stale';

const PHONE = '/catalog/product/iphone-17-pro';
const PHONES = '/catalog/category/iphone';

let page: PageShop;
before(async () => {
  page = await openPageShop();
});
after(() => page.stop());

interface Visit {
  readonly use: string;
  readonly etag: string;
  readonly html: string;
}

async function visit(path: string): Promise<Visit> {
  const response = await fetch(page.url + path);
  assert.equal(response.status, 200, path);
  const { headers } = response;
  return {
    use: headers.get('cache-status') ?? 'none',
    etag: headers.get('etag') ?? 'none',
    html: await response.text(),
  };
}

/** Brings the pages into the cache, up to date. */
async function cache(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await visit(path);
    assert.equal((await visit(path)).use, HIT, path);
  }
}

const readUses = async (...paths: readonly string[]): Promise<readonly string[]> => {
  const uses: string[] = [];
  for (const path of paths) uses.push((await visit(path)).use);
  return uses;
};

async function changePrice(slug: string): Promise<void> {
  await sql`update products set base_price_cents = base_price_cents + 100 where slug = ${slug}`.execute(page.db);
  await page.shop.catalogue.reload();
}

/** A product that is no iPhone, not on the home page, and not among those that are similar to the phone. */
async function findOther(): Promise<{ slug: string; path: string; listPath: string }> {
  const pages = [await visit('/'), await visit(PHONE)];
  // In a link, or in the path of a picture.
  const isShown = (slug: string): boolean => pages.some(({ html }) => html.includes(slug));
  const others = page.shop.catalogue.snapshot.products.filter(({ category }) => category.slug !== 'iphone');
  const { slug, category } = others.find((other) => !isShown(other.slug)) ?? assert.fail('every product is shown');
  return { slug, path: `/catalog/product/${slug}`, listPath: `/catalog/category/${category.slug}` };
}

test('an edit of one product renders no page that shows only others', async () => {
  const { slug, path, listPath } = await findOther();
  const unaffected = [PHONE, `${PHONE}.data`, PHONES, '/', '/free-shipping', '/search-results?query=iphone'];
  const affected = [path, listPath, `${listPath}.data`];
  await cache(...unaffected, ...affected);
  const earlier = await visit(PHONE);
  await changePrice(slug);
  const later = await visit(PHONE);
  assert.deepEqual([later.use, later.etag, later.html], [REVALIDATED, earlier.etag, earlier.html]);
  assert.equal((await visit(PHONE)).use, HIT);
  // A text page depends on the frame of every page only.
  assert.deepEqual(
    Object.fromEntries((await readUses(...unaffected.slice(1))).map((use, at) => [unaffected[at + 1], use])),
    Object.fromEntries(unaffected.slice(1).map((one) => [one, REVALIDATED])),
  );
  assert.deepEqual(
    await readUses(...affected),
    affected.map(() => CHANGED),
  );
  assert.deepEqual(
    await readUses(...affected),
    affected.map(() => HIT),
  );
});

test('an edit of a product shows on each of its pages at once', async () => {
  const { listPath } = await findOther();
  await cache(PHONE, PHONES, listPath, '/catalog?sort=price_desc');
  const earlier = await visit(PHONE);
  await changePrice('iphone-17-pro');
  const { use, html, etag } = await visit(PHONE);
  assert.equal(use, CHANGED);
  assert.notEqual(etag, earlier.etag);
  const product = page.shop.catalogue.snapshot.productsBySlug.get('iphone-17-pro') ?? assert.fail('not sold');
  assert.ok(html.includes(formatUsdAmount(Number(product.basePriceCents) / 100)));
  assert.deepEqual(await readUses(PHONES, listPath, '/catalog?sort=price_desc'), [CHANGED, REVALIDATED, CHANGED]);
});

test('concurrent visitors of a stale page share one revalidation', async () => {
  await cache(PHONE);
  await changePrice((await findOther()).slug);
  const uses = await Promise.all(Array.from({ length: 20 }, async () => (await visit(PHONE)).use));
  assert.ok(uses.every((use) => use === REVALIDATED || use === HIT));
  await changePrice('iphone-17-pro');
  const seen = await Promise.all(Array.from({ length: 20 }, () => visit(PHONE)));
  assert.equal(new Set(seen.map(({ etag }) => etag)).size, 1);
});

test('a withdrawn product returns 404 although its page was cached', async () => {
  const { slug, path } = await findOther();
  await cache(path, PHONE);
  await sql`update products set is_published = false where slug = ${slug}`.execute(page.db);
  await page.shop.catalogue.reload();
  const gone = await fetch(`${page.url}${path}`);
  await gone.text();
  assert.equal(gone.status, 404);
  assert.equal((await visit(PHONE)).use, REVALIDATED);
  await sql`update products set is_published = true where slug = ${slug}`.execute(page.db);
  await page.shop.catalogue.reload();
  assert.equal((await visit(path)).use, MISS);
});

test('equal API responses keep their ETag after an edit of another product', async () => {
  const read = (): Promise<Response> => fetch(`${page.url}/api/products/iphone-17-pro`);
  const etag = (await read()).headers.get('etag') ?? 'none';
  await changePrice((await findOther()).slug);
  const again = await fetch(`${page.url}/api/products/iphone-17-pro`, { headers: { 'if-none-match': etag } });
  assert.equal(again.status, 304);
  await changePrice('iphone-17-pro');
  assert.notEqual((await read()).headers.get('etag'), etag);
});

test('[OPS-26] limits revalidations per address, apart from renders', async (t) => {
  const limited = await openPageShop({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  t.after(() => limited.stop());
  const get = async (path: string, address: string): Promise<number> => {
    const response = await fetch(limited.url + path, { headers: { 'x-forwarded-for': address } });
    await response.text();
    return response.status;
  };
  // Nothing is this cheap: pages that cost little.
  const paths = Array.from({ length: 40 }, (_, at) => `/catalog?price_max=${1 + at}`);
  for (const path of paths) await waitUntil(async () => (await get(path, '198.51.100.1')) === 200);
  // Ten times as many as renders. A busy machine loads fewer in the ten seconds, so most of them are counted without loading a page.
  const seen: number[] = [];
  await waitUntil(async () => {
    for (let count = 0; seen.length % 120 === 0 && count < 300; count += 1) {
      await consumeRevalidationLimit(limited.shop.limits, '198.51.100.2');
    }
    await limited.shop.catalogue.reload();
    seen.push(...(await Promise.all(paths.map((path) => get(path, '198.51.100.2')))));
    return seen.includes(429);
  });
  assert.ok(seen.indexOf(429) > 40, 'more than the limit of renders');
  await limited.shop.catalogue.reload();
  assert.notEqual(await get('/catalog?price_max=1', '198.51.100.3'), 429);
});
