import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import { cents } from '#src/shop/money.ts';
import { groupValues, toPriceBounds } from './filter-products.ts';
import type { ProductFilter } from './filter-products.ts';
import { ProductSearch } from '../search/product-search.ts';
import type { ProductSort } from './sort-products.ts';

const storage = { 'Memory Capacity': { '128GB': 0n, '256GB': 10_000n } };
const catalogue = buildCatalogue([
  { name: 'Phone', cents: 79_900n, offers: { ...storage, Color: { Blue: 0n, Red: 0n } } },
  { name: 'Phone Plus', cents: 89_900n, offers: { 'Memory Capacity': { '128GB': 0n }, Color: { Red: 0n } } },
  { name: '100% Case_1', cents: 1_000n, brand: 'Nomad', category: 'Cases' },
  { name: 'Laptop', cents: 99_900n, category: 'Laptops', offers: { 'Memory Capacity': { '256GB': 0n } } },
]);

const search = new ProductSearch(catalogue.products, createFuzzyIndex);
const namesOf = (filter: ProductFilter): string[] =>
  search.listPage(filter, { sort: undefined, offset: 0, limit: 500 }).map(({ name }) => name);
const withValues = (...ids: string[]) => groupValues(ids, catalogue.propertyNames);
const capacity = (value: string, category = 'phones') => `${category}/Memory Capacity/${value}`;

test('[API-02] matches part of the name in any case', () => {
  assert.deepEqual(namesOf({ text: 'pHoNe' }), ['Phone', 'Phone Plus']);
  assert.deepEqual(namesOf({ text: 'e p' }), ['Phone Plus']);
  assert.deepEqual(namesOf({ text: '' }).length, 4);
});

test('[API-02] %, _ and \\ are ordinary characters', () => {
  assert.deepEqual(namesOf({ text: '%' }), ['100% Case_1']);
  assert.deepEqual(namesOf({ text: '_' }), ['100% Case_1']);
  assert.deepEqual(namesOf({ text: 'P_one' }), []);
  assert.deepEqual(namesOf({ text: '\\' }), []);
});

test('[API-02] matches any of several categories or brands', () => {
  const [first] = catalogue.products;
  assert.deepEqual(namesOf({ categories: ['laptops', 'cases'] }), ['100% Case_1', 'Laptop']);
  assert.deepEqual(namesOf({ categories: [first?.category.id ?? ''] }), ['Phone', 'Phone Plus']);
  assert.deepEqual(namesOf({ brands: ['nomad'] }), ['100% Case_1']);
  assert.deepEqual(namesOf({ brands: ['nomad'], categories: ['phones'] }), []);
  assert.deepEqual(namesOf({ brands: ['nobody'] }), []);
});

test('[API-02] matches any value per property and every property', () => {
  assert.deepEqual(namesOf({ values: withValues(capacity('256GB')) }), ['Phone']);
  assert.deepEqual(namesOf({ values: withValues(capacity('128GB'), capacity('256GB')) }), ['Phone', 'Phone Plus']);
  assert.deepEqual(namesOf({ values: withValues(capacity('128GB'), 'phones/Color/Blue') }), ['Phone']);
  assert.deepEqual(namesOf({ values: withValues('unknown') }), []);
});

test('[API-02] merges properties with the same name in different categories', () => {
  assert.deepEqual(namesOf({ values: withValues(capacity('256GB'), capacity('256GB', 'laptops')) }), [
    'Phone',
    'Laptop',
  ]);
});

test('[API-02] includes the price bounds', () => {
  assert.deepEqual(namesOf({ minimumCents: cents(89_900n), maximumCents: cents(99_900n) }), ['Phone Plus', 'Laptop']);
  assert.deepEqual(namesOf({ minimumCents: cents(89_901n), maximumCents: cents(99_899n) }), []);
});

test('[API-02] compares prices including the increases of selected values', () => {
  const atMost = (maximum: bigint, ...ids: string[]) =>
    namesOf({ maximumCents: cents(maximum), values: withValues(...ids) });
  assert.deepEqual(atMost(79_900n, capacity('256GB')), []);
  assert.deepEqual(atMost(89_900n, capacity('256GB')), ['Phone']);
  assert.deepEqual(atMost(79_900n, capacity('128GB'), capacity('256GB')), ['Phone']);
  assert.deepEqual(
    namesOf({
      minimumCents: cents(89_900n),
      maximumCents: cents(89_900n),
      values: withValues(capacity('128GB'), capacity('256GB')),
    }),
    ['Phone', 'Phone Plus'],
  );
});

test('[API-02] converts bounds to cents, ignores crossed bounds', () => {
  assert.deepEqual(toPriceBounds(19.99, 1234.56), {
    ok: true,
    bounds: { minimumCents: 1999n, maximumCents: 123_456n },
  });
  assert.deepEqual(toPriceBounds(undefined, 5), { ok: true, bounds: { maximumCents: 500n } });
  assert.deepEqual(toPriceBounds(5, 5).ok, true);
  assert.deepEqual(toPriceBounds(5.01, 5), { ok: false });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), (written) => {
      assert.deepEqual(toPriceBounds(written / 100, undefined), {
        ok: true,
        bounds: { minimumCents: BigInt(written) },
      });
    }),
  );
});

test('[API-02] narrows results with each filter, keeps display order', () => {
  const text = fc.constantFrom('', 'p', 'phone', 'e', '1');
  const filters = fc.record({ text, maximumCents: fc.bigInt({ min: 0n, max: 120_000n }).map(cents) });
  fc.assert(
    fc.property(filters, fc.bigInt({ min: 0n, max: 120_000n }).map(cents), (filter, minimumCents) => {
      const wide = namesOf(filter);
      const narrow = namesOf({ ...filter, minimumCents });
      assert.deepEqual(
        narrow,
        wide.filter((name) => narrow.includes(name)),
      );
    }),
  );
});

const day = (n: number) => new Date(Date.UTC(2025, 0, n));

test('[API-02] sorts stably by price, date or sales', () => {
  const { products } = buildCatalogue([
    { name: 'a', cents: 2n, sold: 1, createdAt: day(1) },
    { name: 'b', cents: 1n, sold: 5, createdAt: day(3) },
    { name: 'c', cents: 2n, sold: 5, createdAt: day(2) },
  ]);
  const sorted = (sort?: ProductSort) =>
    new ProductSearch(products, createFuzzyIndex)
      .listPage({}, { sort, offset: 0, limit: 3 })
      .map(({ name }) => name)
      .join('');
  assert.equal(sorted(), 'abc');
  assert.equal(sorted('price_asc'), 'bac');
  assert.equal(sorted('price_desc'), 'acb');
  assert.equal(sorted('newest'), 'bca');
  assert.equal(sorted('best_sold'), 'bca');
});
