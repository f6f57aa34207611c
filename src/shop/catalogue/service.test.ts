import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { z } from 'zod';
import { transact } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';
import { executeRoute } from '#src/platform/http/call.ts';
import type { Caller, Outcome } from '#src/platform/http/call.ts';
import type { Rate } from '#src/platform/rates/rate-source.ts';
import '../../../tests/support/own-process.ts';
import { seedCatalogue } from '../../../db/seed/catalogue.ts';
import { createTestDatabase } from '../../../tests/support/database.ts';
import { catalogueApi, filterOptions, product } from './contract.ts';
import type { Category, FilterOptions, Product } from './contract.ts';
import { createCatalogueRoutes } from './routes.ts';
import { Catalogue } from './service.ts';

const now = new Date('2026-01-02T03:04:05Z');
const createRate = (centsPerBtc: bigint): Rate => ({ centsPerBtc, at: now, evidence: {} });
const visitor: Caller = {
  identity: null,
  guestToken: null,
  ip: '127.0.0.1',
  isBrowser: false,
  bearer: null,
  idempotencyKey: null,
};

const { db } = await createTestDatabase();
let rate: Rate | null = createRate(11_100_000n);
let catalogue: Catalogue;

before(async () => {
  await seedCatalogue(db, now);
  catalogue = await Catalogue.open(db, {
    getCurrent: () => rate,
    getState: () => (rate === null ? 'none' : 'current'),
  });
});

async function callApi(
  key: keyof typeof catalogueApi,
  input: { query?: Record<string, unknown>; params?: Record<string, string> } = {},
): Promise<{ outcome: Outcome; total: string | undefined }> {
  const headers = new Map<string, string>();
  const reply = {
    header: (n: string, v: string) => void headers.set(n, v),
    setCookie: () => {},
    recordSecurityEvent: () => {},
    clearCookie: () => {},
  };
  const raw = { params: input.params ?? {}, query: input.query ?? {}, body: undefined };
  const outcome = await executeRoute(
    catalogueApi[key],
    createCatalogueRoutes(catalogue, { version: 1 })[key],
    raw,
    visitor,
    reply,
  );
  return { outcome, total: headers.get('x-total-count') };
}

async function readList(query: Record<string, unknown>) {
  const { outcome, total } = await callApi('GET /products', { query });
  assert.ok(outcome.ok);
  const decoded = z.array(product).safeDecode(z.array(z.custom<Product>()).parse(outcome.wire));
  assert.ok(decoded.success);
  return { products: z.encode(z.array(product), decoded.data), total: Number(total) };
}

async function readRefusal(query: Record<string, unknown>) {
  const { outcome } = await callApi('GET /products', { query });
  assert.ok(!outcome.ok);
  return outcome.refusal;
}

test('[API-12] returns exactly the fields of the contract', async () => {
  const { outcome } = await callApi('GET /products/{slug}', { params: { slug: 'iphone-17-pro' } });
  assert.ok(outcome.ok);
  const wire = z.record(z.string(), z.unknown()).parse(outcome.wire);
  assert.deepEqual(Object.keys(wire).toSorted(), [
    'article',
    'base_price_in_btc',
    'base_price_in_usd',
    'brand_id',
    'category_id',
    'category_name',
    'chapters',
    'description',
    'description_elements',
    'energy_label',
    'id',
    'images',
    'in_the_box',
    'is_price_from',
    'is_sold_out',
    'lowest_price_30_days_usd',
    'lowest_price_btc',
    'lowest_price_usd',
    'main_image',
    'name',
    'picture_alts',
    'safety',
    'sale_ends_at',
    'selected_property_values',
    'slug',
    'sold_units',
    'specifications',
    'sub_description',
    'value_images',
    'value_increases',
    'variants',
    'was_price_usd',
  ]);
  assert.equal(wire['base_price_in_usd'], 1099);
  // 1099 / 111,000 = 0.00990090…, rounded up to a multiple of 100 satoshi.
  assert.equal(wire['base_price_in_btc'], 0.009901);
  assert.equal(wire['category_name'], 'iPhone');
  assert.equal(wire['main_image'], '/images/products/iphone-17-pro/back.avif');
});

test('[API-02] returns 404 for an unknown slug', async () => {
  const { outcome } = await callApi('GET /products/{slug}', { params: { slug: 'nothing-here' } });
  assert.ok(!outcome.ok);
  assert.equal(outcome.refusal.status, 404);
});

test('[API-02] pages the list and returns the total', async () => {
  const all = await readList({});
  assert.equal(all.total, all.products.length);
  const page = await readList({ limit: '5', offset: '7' });
  assert.deepEqual(page.products, all.products.slice(7, 12));
  assert.equal(page.total, all.total);
  assert.deepEqual(await readList({ offset: '1000' }), { products: [], total: all.total });
});

test('[API-02] filters by slug, id and repeated parameters', async () => {
  const [iphones] = catalogue.listCategories();
  const bySlug = await readList({ category: 'iphone' });
  assert.ok(bySlug.total > 0);
  assert.deepEqual(await readList({ category: iphones?.id ?? '' }), bySlug);
  const both = await readList({ category: ['iphone', 'ipad'], sort: 'price_asc' });
  assert.ok(both.total > bySlug.total);
  const prices = both.products.map(({ lowest_price_usd }) => lowest_price_usd);
  assert.deepEqual(
    prices,
    prices.toSorted((a, b) => a - b),
  );
  assert.ok((await readList({ brand: 'twelve-south' })).products.every(({ name }) => name.startsWith('Twelve South')));
  const bounded = await readList({ price_min: '599', price_max: '999.00' });
  assert.ok(bounded.total > 0);
  for (const { slug } of bounded.products) {
    const variants = (await catalogue.findDetail(slug))?.variants ?? [];
    assert.ok(
      variants.some(({ price_usd: price }) => price >= 599 && price <= 999),
      slug,
    );
  }
});

test('[API-02] [CAT-06] counts filter options and returns the price range', async () => {
  const { outcome } = await callApi('GET /filters', { query: { q: 'pro', brand: 'apple', price_max: '1500' } });
  assert.ok(outcome.ok);
  const decoded = filterOptions.safeDecode(z.custom<FilterOptions>().parse(outcome.wire));
  assert.ok(decoded.success);
  const options = z.encode(filterOptions, decoded.data);
  assert.equal(options.total, (await readList({ q: 'pro', brand: 'apple', price_max: '1500' })).total);
  for (const { slug, count } of options.brands) {
    assert.equal(count, (await readList({ q: 'pro', brand: slug, price_max: '1500' })).total, slug);
  }
  for (const { slug, count } of options.categories) {
    const query = { q: 'pro', brand: 'apple', price_max: '1500', category: slug };
    assert.equal(count, (await readList(query)).total, slug);
  }
  const values = options.properties.flatMap((property) => property.values);
  assert.ok(values.some(({ count }) => count > 0) && values.some(({ count }) => count === 0));
  for (const { id, value, count } of values.filter((_, at) => at % 9 === 0)) {
    const query = { q: 'pro', brand: 'apple', price_max: '1500', values: id };
    assert.equal(count, (await readList(query)).total, value);
  }
  const listed = (await readList({ q: 'pro', brand: 'apple' })).products;
  const details = await Promise.all(listed.map(({ slug }) => catalogue.findDetail(slug)));
  const prices = details.flatMap((detail) => detail?.variants ?? []).map(({ price_usd }) => price_usd);
  assert.deepEqual(options.prices, { minimum: Math.min(...prices), maximum: Math.max(...prices) });
  const crossed = await callApi('GET /filters', { query: { price_min: '2', price_max: '1' } });
  assert.equal(!crossed.outcome.ok && crossed.outcome.refusal.status, 400);
});

test('[API-02] refuses parameters out of bounds', async () => {
  for (const query of [
    { limit: '0' },
    { limit: '501' },
    { limit: '1e2' },
    { offset: '-1' },
    { price_min: '-1' },
    { price_min: '10', price_max: '9.99' },
    { sort: 'name' },
    { values: 'no-id' },
    { q: 'x'.repeat(201) },
  ]) {
    assert.equal((await readRefusal(query)).status, 400, JSON.stringify(query));
  }
});

test('[API-13] returns categories with properties, values and increases', async () => {
  const { outcome } = await callApi('GET /categories');
  assert.ok(outcome.ok);
  const categories = z.array(z.custom<Category>()).parse(outcome.wire);
  const capacities = categories[0]?.properties.find(({ name }) => name === 'Memory Capacity')?.values ?? [];
  assert.deepEqual(
    capacities.map(({ value, price_in_usd_increase: increase }) => [value, increase]),
    [
      ['128GB', 0],
      ['256GB', 0],
      ['512GB', 200],
      ['1TB', 400],
      ['2TB', 800],
    ],
  );
  // 200 / 111,000 = 0.00180180…
  assert.equal(capacities[2]?.price_in_btc_increase, 0.001802);
  assert.equal(capacities[0]?.price_in_btc_increase, 0);
});

const readPrice = async () => (await catalogue.findDetail('iphone-air'))?.base_price_in_btc;

test('[PAY-06] converts prices at the rate, none without a rate', async () => {
  assert.equal(await readPrice(), 0.009);
  rate = createRate(9_990_000n);
  assert.equal(await readPrice(), 0.01);
  rate = null;
  assert.equal(await readPrice(), null);
  rate = createRate(11_100_000n);
  assert.equal(await readPrice(), 0.009);
});

test('[API-12] adds sold units and shows them after the commit', async () => {
  const [first, second] = catalogue.snapshot.products;
  assert.ok(first && second);
  const readVersion = catalogue.version;
  const sold = [
    { productId: second.id, quantity: 1 },
    { productId: first.id, quantity: 2 },
    { productId: first.id, quantity: 3 },
  ];
  await Promise.all([catalogue.recordSale(db, sold), catalogue.recordSale(db, sold.toReversed())]);
  await catalogue.refreshSales();
  assert.deepEqual(
    catalogue.findByIds([first.id, second.id, 'unknown']).map(({ soldUnits }) => soldUnits),
    [first.soldUnits + 10, second.soldUnits + 2],
  );
  assert.ok(catalogue.version > readVersion);
});

test('[OPS-08] shows sales of other processes once they are committed', async () => {
  const other = await Catalogue.open(db, { getCurrent: () => rate, getState: () => 'current' });
  const [first, second] = catalogue.snapshot.products;
  assert.ok(first && second);
  const { version } = other;
  await other.refreshSales();
  assert.equal(other.version, version, 'without a sale nothing is rendered again');
  // A transaction that began before an earlier read commits after it.
  await db.transaction().execute(async (tx) => {
    await catalogue.recordSale(tx, [{ productId: first.id, quantity: 4 }]);
    await catalogue.recordSale(db, [{ productId: second.id, quantity: 1 }]);
    await other.refreshSales();
    assert.equal(other.findByIds([first.id])[0]?.soldUnits, first.soldUnits);
  });
  await other.refreshSales();
  assert.deepEqual(
    other.findByIds([first.id, second.id]).map(({ soldUnits }) => soldUnits),
    [first.soldUnits + 4, second.soldUnits + 1],
  );
  await catalogue.reverseSale(db, [{ productId: first.id, quantity: 3 }]);
  await other.refreshSales();
  assert.equal(other.findByIds([first.id])[0]?.soldUnits, first.soldUnits + 1);
  await catalogue.deleteOldSaleChanges(new Date(Date.now() + 48 * 60 * 60 * 1000));
  assert.deepEqual((await sql`select from sale_changes`.execute(db)).rows, []);
});

test('caches responses until catalogue or rate change', async () => {
  const route = createCatalogueRoutes(catalogue, { version: 1 })['GET /products'];
  const readVersion = (): string => (route.who === 'anyone' && route.getVersion?.()) || 'none';
  const noted = readVersion();
  assert.equal(readVersion(), noted);
  rate = createRate(11_100_001n);
  const atAnotherRate = readVersion();
  assert.notEqual(atAnotherRate, noted);
  rate = null;
  assert.notEqual(readVersion(), atAnotherRate);
  rate = createRate(11_100_000n);
  assert.equal(readVersion(), noted);
  await catalogue.reload();
  assert.notEqual(readVersion(), noted);
});

const listSlugs = (of: Catalogue): string[] => of.snapshot.products.map(({ slug }) => slug);

/** Changes a product as the catalogue's own changes do, with its revision. */
async function changeProduct(slug: string, changes: string): Promise<void> {
  await transact(db, async (tx) => {
    const revision = await incrementRevision(tx, 'catalogue');
    await sql`update products set ${sql.raw(changes)}, revision = ${revision} where slug = ${slug}`.execute(tx);
  });
}

const toSats = (amount: number | null): number => Math.round((amount ?? 0) * 100_000_000);
const toCents = (amount: number): number => Math.round(amount * 100);

test('[PROD-03] [PAY-06] prices each variant as the sum of the shown parts', async () => {
  let variantCount = 0;
  for (const slug of listSlugs(catalogue)) {
    const shown = await catalogue.findDetail(slug);
    assert.ok(shown);
    const increaseOf = new Map(Object.entries(shown.value_increases));
    for (const { property_value_ids: ids, price_usd, price_btc } of shown.variants) {
      const increases = ids.flatMap((id) => increaseOf.get(id) ?? []);
      assert.equal(increases.length, ids.length);
      const wantedCents: number = increases.reduce(
        (sum, { usd }) => sum + toCents(usd),
        toCents(shown.base_price_in_usd),
      );
      const wantedSats: number = increases.reduce((sum, { btc }) => sum + toSats(btc), toSats(shown.base_price_in_btc));
      assert.deepEqual([toCents(price_usd), toSats(price_btc)], [wantedCents, wantedSats], slug);
      variantCount += 1;
    }
  }
  assert.ok(variantCount > 200, `${variantCount} variants`);
});

test('[OPS-02] refreshes what has changed and equals a new catalogue', async () => {
  const other = await Catalogue.open(db, { getCurrent: () => rate, getState: () => 'current' });
  const [first = '', second = '', third = ''] = listSlugs(other);
  const kept = other.snapshot.productsBySlug.get(third);
  await changeProduct(first, 'base_price_cents = 12300, position = 9000');
  await changeProduct(second, 'is_published = false');
  assert.equal(other.snapshot.productsBySlug.has(second), true, 'not refreshed yet');
  await other.refresh();
  assert.equal(other.snapshot.productsBySlug.get(first)?.basePriceCents, 12_300n);
  assert.equal(other.snapshot.productsBySlug.has(second), false);
  assert.equal(other.snapshot.productsBySlug.get(third), kept, 'an unchanged product is not read again');
  await changeProduct(second, 'is_published = true');
  await other.refresh();
  const fresh = await Catalogue.open(db, { getCurrent: () => rate, getState: () => 'current' });
  assert.deepEqual(other.snapshot.products, fresh.snapshot.products);
  assert.equal(other.revision, fresh.revision);
  assert.equal(listSlugs(other).at(-1), first, 'sorted by its new position');
});

test('[OPS-08] searches after an edit equal those of a new catalogue', async () => {
  const other = await Catalogue.open(db, { getCurrent: () => rate, getState: () => 'current' });
  const queries = [
    { sort: 'price_asc' },
    { price_max: 500 },
    { q: 'iphnoe' },
    { q: 'pro', sort: 'price_desc' },
  ] as const;
  const search = (of: Catalogue) =>
    Promise.all(queries.map(async (query) => [await of.list(query), of.countFilterOptions(query)]));
  await search(other);
  for (const change of [
    'base_price_cents = 45600',
    `name = 'Iphnoe'`,
    'is_published = false',
    `slug = 'renamed', is_published = true`,
  ]) {
    await changeProduct('iphone-17', change);
    await other.refresh();
    const fresh = await Catalogue.open(db, { getCurrent: () => rate, getState: () => 'current' });
    assert.deepEqual(await search(other), await search(fresh), change);
    assert.deepEqual(listSlugs(other), listSlugs(fresh));
  }
  await sql`update product_values set increase_cents = 77700 from products
    where products.id = product_id and slug = 'renamed'`.execute(db);
  await changeProduct('renamed', `slug = 'iphone-17', name = 'iPhone 17', base_price_cents = 79900`);
  await other.refresh();
  assert.deepEqual(
    await search(other),
    await search(await Catalogue.open(db, { getCurrent: () => rate, getState: () => 'current' })),
  );
});
