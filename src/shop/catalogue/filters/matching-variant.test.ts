import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import { cents } from '#src/shop/money.ts';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import { computeVariantPriceCents } from '../products/unit-price.ts';
import { createVariantKey } from '../products/variants.ts';
import { ProductSearch } from '../search/product-search.ts';
import { groupValues } from './filter-products.ts';
import { chooseMatchingVariant, nameVariant } from './matching-variant.ts';

const [small, large] = ['phones/Size/S', 'phones/Size/L'];
const [red, blue] = ['phones/Color/Red', 'phones/Color/Blue'];
const catalogue = buildCatalogue([
  { name: 'One', cents: 500n, offers: { Size: { S: 0n, L: 100n }, Color: { Red: 0n, Blue: 30n } } },
  {
    name: 'Two',
    cents: 550n,
    offers: { Size: { S: 0n, L: 100n }, Color: { Red: 0n } },
    unsold: [[red, small].toSorted()],
    ownPrices: [{ valueIds: [red, large].toSorted(), cents: 90n }],
  },
]);
const search = new ProductSearch(catalogue.products, createFuzzyIndex);

const filters = fc.record({
  values: fc.subarray([small, large, red, blue]).map((ids) => groupValues(ids, catalogue.propertyNames)),
  minimumCents: fc.constantFrom(0n, 90n, 500n, 530n, 631n).map(cents),
  maximumCents: fc.constantFrom(89n, 90n, 500n, 600n, 900n).map(cents),
});

test('[PROD-12] every listed product, and no other, has a variant that matches the filter', () => {
  const soldOut = fc.subarray([small, large, red, blue], { maxLength: 1 });
  fc.assert(
    fc.property(filters, soldOut, (filter, gone) => {
      const isAvailable = (ids: readonly string[]): boolean => !ids.some((id) => gone.includes(id));
      const listed = search.listPage(filter, { sort: 'price_asc', offset: 0, limit: 9 });
      const shown = catalogue.products.filter((product) => chooseMatchingVariant(product, filter, () => true) !== null);
      assert.deepEqual(new Set(listed), new Set(shown));
      const prices = listed.map((product) => {
        const variant = chooseMatchingVariant(product, filter, () => true);
        assert.ok(variant);
        const price = computeVariantPriceCents(product, variant);
        assert.ok(price >= filter.minimumCents && price <= filter.maximumCents);
        assert.ok(!product.unsold.has(createVariantKey(variant.valueIds)));
        for (const ids of filter.values.values()) assert.ok(variant.valueIds.some((id) => ids.has(id)));
        const orderable = chooseMatchingVariant(product, filter, isAvailable);
        assert.ok(orderable && computeVariantPriceCents(product, orderable) >= price);
        return price;
      });
      assert.deepEqual(
        prices,
        prices.toSorted((a, b) => Number(a - b)),
      );
    }),
  );
});

test('[PROD-12] names a variant by the values in which variants differ', () => {
  const names = catalogue.products.map((product) => {
    const variant = chooseMatchingVariant(
      product,
      { values: groupValues([large], catalogue.propertyNames) },
      () => true,
    );
    return variant && nameVariant(product, variant);
  });
  assert.deepEqual(names, ['L, Red', 'L']);
});
