import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { buildCatalogue } from '../../../tests/support/build-catalogue.ts';
import { cents } from '../money.ts';
import { countOptions } from './count-options.ts';
import { filterProducts, groupValues } from './filter-products.ts';
import type { ProductFilter } from './filter-products.ts';

const catalogue = buildCatalogue([
  {
    name: 'Phone',
    cents: 79_900n,
    offers: { Memory: { '128GB': 0n, '256GB': 10_000n }, Color: { Blue: 0n, Red: 0n } },
  },
  { name: 'Phone Plus', cents: 89_900n, offers: { Memory: { '128GB': 0n }, Color: { Red: 0n } } },
  { name: 'Case', cents: 1000n, brand: 'Nomad', category: 'Cases', offers: { Color: { Red: 0n } } },
]);
const valueIds = [...catalogue.propertyNames.keys()];
const anyFilter: fc.Arbitrary<ProductFilter> = fc.record({
  text: fc.constantFrom('', 'phone', 'plus'),
  brands: fc.subarray(['apple', 'nomad']),
  categories: fc.subarray(['phones', 'cases']),
  maximumCents: fc.constantFrom(79_900n, 89_900n, 99_900n).map(cents),
  values: fc.subarray(valueIds).map((ids) => groupValues(ids, catalogue.propertyNames)),
});

test('[API-02] an option shows how many products it would leave', () => {
  const counts = countOptions(catalogue.products, { brands: ['apple'] });
  assert.deepEqual(Object.fromEntries(counts.brands), { apple: 2, nomad: 1 });
  assert.deepEqual(Object.fromEntries(counts.categories), { phones: 2 });
  assert.deepEqual(Object.fromEntries(counts.values), {
    'phones/Memory/128GB': 2,
    'phones/Memory/256GB': 1,
    'phones/Color/Blue': 1,
    'phones/Color/Red': 2,
  });
});

test('[API-02] whatever is filtered, the count is what choosing the option alone in its group leaves', () => {
  const { products, propertyNames } = catalogue;
  fc.assert(
    fc.property(anyFilter, (filter) => {
      const counts = countOptions(products, filter);
      for (const id of ['apple', 'nomad']) {
        assert.equal(counts.brands.get(id) ?? 0, filterProducts(products, { ...filter, brands: [id] }).length);
      }
      for (const id of ['phones', 'cases']) {
        assert.equal(counts.categories.get(id) ?? 0, filterProducts(products, { ...filter, categories: [id] }).length);
      }
      for (const id of valueIds) {
        const values = new Map([...(filter.values ?? []), ...groupValues([id], propertyNames)]);
        assert.equal(counts.values.get(id) ?? 0, filterProducts(products, { ...filter, values }).length);
      }
    }),
  );
});
