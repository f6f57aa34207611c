import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { z } from 'zod';
import { executeRoute } from '#src/platform/http/call.ts';
import type { Caller, Outcome } from '#src/platform/http/call.ts';
import type { Rate } from '#src/platform/rates/rate-source.ts';
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
  const outcome = await executeRoute(catalogueApi[key], createCatalogueRoutes(catalogue)[key], raw, visitor, reply);
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
    'description',
    'id',
    'images',
    'main_image',
    'name',
    'selected_property_values',
    'slug',
    'sold_units',
    'specifications',
    'sub_description',
    'value_images',
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
  const prices = both.products.map(({ base_price_in_usd }) => base_price_in_usd);
  assert.deepEqual(
    prices,
    prices.toSorted((a, b) => a - b),
  );
  assert.ok((await readList({ brand: 'twelve-south' })).products.every(({ name }) => name.startsWith('Twelve South')));
  const bounded = await readList({ price_min: '599', price_max: '999.00' });
  assert.ok(bounded.products.every(({ base_price_in_usd: price }) => price >= 599 && price <= 999));
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
  const prices = (await readList({ q: 'pro', brand: 'apple' })).products.map((listed) => listed.base_price_in_usd);
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

const readPrice = () => catalogue.findBySlug('iphone-air')?.base_price_in_btc;

test('[PAY-06] converts prices at the rate, none without a rate', () => {
  assert.equal(readPrice(), 0.009);
  rate = createRate(9_990_000n);
  assert.equal(readPrice(), 0.01);
  rate = null;
  assert.equal(readPrice(), null);
  rate = createRate(11_100_000n);
  assert.equal(readPrice(), 0.009);
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

test('caches responses until catalogue or rate change', async () => {
  const route = createCatalogueRoutes(catalogue)['GET /products'];
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
