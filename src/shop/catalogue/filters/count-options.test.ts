import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import { cents } from '#src/shop/money.ts';
import type { ProductFilter } from './filter-products.ts';
import { ProductSearch } from '../search/product-search.ts';

const catalogue = buildCatalogue([
  {
    name: 'Phone',
    cents: 79_900n,
    offers: { Memory: { '128GB': 0n, '256GB': 10_000n }, Color: { Blue: 0n, Red: 0n } },
  },
  { name: 'Phone Plus', cents: 89_900n, offers: { Memory: { '128GB': 0n }, Color: { Red: 0n } } },
  { name: 'Case', cents: 1000n, brand: 'Nomad', category: 'Cases', offers: { Color: { Red: 0n } } },
]);
const search = new ProductSearch(catalogue.products, createFuzzyIndex);
const countPrices = (filter: ProductFilter) => search.countOptions(filter).prices;

test('[API-02] [CAT-06] counts the products that each option would leave', () => {
  const counts = search.countOptions({ brands: ['apple'] });
  assert.deepEqual(Object.fromEntries(counts.brands), { apple: 2, nomad: 1 });
  assert.deepEqual(Object.fromEntries(counts.categories), { phones: 2 });
  assert.deepEqual(Object.fromEntries(counts.values), {
    'phones/Memory/128GB': 2,
    'phones/Memory/256GB': 1,
    'phones/Color/Blue': 1,
    'phones/Color/Red': 2,
  });
});

test('[CAT-04] ranges prices of products that pass the other filters', () => {
  assert.deepEqual(countPrices({}), { minimumCents: 1000n, maximumCents: 89_900n });
  const memory = new Map([['Memory', new Set(['phones/Memory/256GB', 'phones/Memory/128GB'])]]);
  assert.deepEqual(countPrices({ values: memory }), { minimumCents: 79_900n, maximumCents: 89_900n });
  const large = new Map([['Memory', new Set(['phones/Memory/256GB'])]]);
  assert.deepEqual(countPrices({ values: large, maximumCents: cents(1n) }), {
    minimumCents: 89_900n,
    maximumCents: 89_900n,
  });
  assert.equal(countPrices({ text: 'nothing' }), null);
});
