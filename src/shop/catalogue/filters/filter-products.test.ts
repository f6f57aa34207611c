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
const listNames = (filter: ProductFilter): string[] =>
  search.listPage(filter, { sort: undefined, offset: 0, limit: 500 }).map(({ name }) => name);
const groupOptionValues = (...ids: string[]) => groupValues(ids, catalogue.propertyNames);
const formatCapacity = (value: string, category = 'phones') => `${category}/Memory Capacity/${value}`;

test('[API-02] matches part of the name in any case', () => {
  assert.deepEqual(listNames({ text: 'pHoNe' }), ['Phone', 'Phone Plus']);
  assert.deepEqual(listNames({ text: 'e p' }), ['Phone Plus']);
  assert.deepEqual(listNames({ text: '' }).length, 4);
});

test('[API-02] %, _ and \\ are ordinary characters', () => {
  assert.deepEqual(listNames({ text: '%' }), ['100% Case_1']);
  assert.deepEqual(listNames({ text: '_' }), ['100% Case_1']);
  assert.deepEqual(listNames({ text: 'P_one' }), []);
  assert.deepEqual(listNames({ text: '\\' }), []);
});

test('[API-02] matches any of several categories or brands', () => {
  const [first] = catalogue.products;
  assert.deepEqual(listNames({ categories: ['laptops', 'cases'] }), ['100% Case_1', 'Laptop']);
  assert.deepEqual(listNames({ categories: [first?.category.id ?? ''] }), ['Phone', 'Phone Plus']);
  assert.deepEqual(listNames({ brands: ['nomad'] }), ['100% Case_1']);
  assert.deepEqual(listNames({ brands: ['nomad'], categories: ['phones'] }), []);
  assert.deepEqual(listNames({ brands: ['nobody'] }), []);
});

test('[API-02] matches any value per property and every property', () => {
  assert.deepEqual(listNames({ values: groupOptionValues(formatCapacity('256GB')) }), ['Phone']);
  assert.deepEqual(listNames({ values: groupOptionValues(formatCapacity('128GB'), formatCapacity('256GB')) }), [
    'Phone',
    'Phone Plus',
  ]);
  assert.deepEqual(listNames({ values: groupOptionValues(formatCapacity('128GB'), 'phones/Color/Blue') }), ['Phone']);
  assert.deepEqual(listNames({ values: groupOptionValues('unknown') }), []);
});

test('[API-02] merges properties with the same name in different categories', () => {
  assert.deepEqual(
    listNames({ values: groupOptionValues(formatCapacity('256GB'), formatCapacity('256GB', 'laptops')) }),
    ['Phone', 'Laptop'],
  );
});

test('[API-02] includes the price bounds', () => {
  const plain = ['Phone Plus', 'Laptop'];
  assert.deepEqual(listNames({ minimumCents: cents(89_900n), maximumCents: cents(99_900n) }), ['Phone', ...plain]);
  assert.deepEqual(listNames({ minimumCents: cents(89_901n), maximumCents: cents(99_899n) }), []);
});

test('[SRCH-04] [OPS-08] finds a product by the price of any variant that is sold', () => {
  const [small, large] = [['phones/Size/S'], ['phones/Size/L']];
  const { products } = buildCatalogue([
    { name: 'Own', cents: 500n, offers: { Size: { S: 0n, L: 100n } }, ownPrices: [{ valueIds: large, cents: 90n }] },
    { name: 'Gone', cents: 500n, offers: { Size: { S: 0n, L: 100n } }, unsold: [small] },
  ]);
  const priced = new ProductSearch(products, createFuzzyIndex);
  const listAt = (price: bigint, sort?: ProductSort) =>
    priced
      .listPage({ minimumCents: cents(price), maximumCents: cents(price) }, { sort, offset: 0, limit: 9 })
      .map(({ name }) => name);
  assert.deepEqual([listAt(90n), listAt(500n), listAt(600n)], [['Own'], ['Own'], ['Gone']]);
  assert.deepEqual(
    priced.listPage({}, { sort: 'price_desc', offset: 0, limit: 9 }).map(({ name }) => name),
    ['Gone', 'Own'],
  );
  assert.deepEqual(priced.countOptions({}).prices, { minimumCents: 90n, maximumCents: 600n });
  const upTo = { maximumCents: cents(500n) };
  assert.deepEqual(Object.fromEntries(priced.countOptions(upTo).values), { 'phones/Size/S': 1, 'phones/Size/L': 1 });
});

test('[API-02] compares prices including the increases of selected values', () => {
  const listNamesUpTo = (maximum: bigint, ...ids: string[]) =>
    listNames({ maximumCents: cents(maximum), values: groupOptionValues(...ids) });
  assert.deepEqual(listNamesUpTo(79_900n, formatCapacity('256GB')), []);
  assert.deepEqual(listNamesUpTo(89_900n, formatCapacity('256GB')), ['Phone']);
  assert.deepEqual(listNamesUpTo(79_900n, formatCapacity('128GB'), formatCapacity('256GB')), ['Phone']);
  assert.deepEqual(
    listNames({
      minimumCents: cents(89_900n),
      maximumCents: cents(89_900n),
      values: groupOptionValues(formatCapacity('128GB'), formatCapacity('256GB')),
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
      const wide = listNames(filter);
      const narrow = listNames({ ...filter, minimumCents });
      assert.deepEqual(
        narrow,
        wide.filter((name) => narrow.includes(name)),
      );
    }),
  );
});

const getDay = (n: number) => new Date(Date.UTC(2025, 0, n));

test('[API-02] sorts stably by price, date or sales', () => {
  const { products } = buildCatalogue([
    { name: 'a', cents: 2n, sold: 1, createdAt: getDay(1) },
    { name: 'b', cents: 1n, sold: 5, createdAt: getDay(3) },
    { name: 'c', cents: 2n, sold: 5, createdAt: getDay(2) },
  ]);
  const listSorted = (sort?: ProductSort) =>
    new ProductSearch(products, createFuzzyIndex)
      .listPage({}, { sort, offset: 0, limit: 3 })
      .map(({ name }) => name)
      .join('');
  assert.equal(listSorted(), 'abc');
  assert.equal(listSorted('price_asc'), 'bac');
  assert.equal(listSorted('price_desc'), 'acb');
  assert.equal(listSorted('newest'), 'bca');
  assert.equal(listSorted('best_sold'), 'bca');
});
