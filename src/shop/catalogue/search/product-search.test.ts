import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createFuzzyIndex } from '#src/platform/fuzzy-index.ts';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import type { ProductSketch } from '../../../../tests/support/build-catalogue.ts';
import { isMatch, searchByReference, listPrices } from '../../../../tests/support/reference-search.ts';
import { cents } from '#src/shop/money.ts';
import type { CatalogueData } from '../build-catalogue-data.ts';
import { applyStockAndSales } from '../build-catalogue-data.ts';
import { groupValues } from '../filters/filter-products.ts';
import type { ProductFilter } from '../filters/filter-products.ts';
import { listCombinations } from '../products/variants.ts';
import { ProductSearch } from './product-search.ts';

/** Each product has its own increases. */
const generateOffering = (...values: readonly string[]): fc.Arbitrary<Readonly<Record<string, bigint>>> =>
  fc
    .tuple(fc.subarray([...values]), fc.array(fc.constantFrom(0n, 0n, 100n, 300n), { minLength: 3, maxLength: 3 }))
    .map(([own, increases]) => Object.fromEntries(own.map((value, at) => [value, increases[at] ?? 0n])));

/** By position of the combination; undefined: sold at base price plus increases. */
const anyExceptions = fc.oneof(
  fc.constant([]),
  fc.array(fc.oneof(fc.constant(undefined), fc.constant('unsold'), fc.bigInt({ min: 1n, max: 900n })), {
    maxLength: 9,
  }),
);

interface SketchParts extends Omit<ProductSketch, 'name'> {
  readonly category: string;
  readonly offers: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
}

function addExceptions(
  sketched: SketchParts,
  exceptions: readonly (bigint | string | undefined)[],
): Omit<ProductSketch, 'name'> {
  const offered = Object.entries(sketched.offers).flatMap(([property, values]) => {
    const ids = Object.keys(values).map((value) => ({ id: `${sketched.category.toLowerCase()}/${property}/${value}` }));
    return ids.length === 0 ? [] : [{ values: ids }];
  });
  const combinations = listCombinations(offered);
  return {
    ...sketched,
    unsold: combinations.filter((_, at) => exceptions[at] === 'unsold'),
    ownPrices: combinations.flatMap((valueIds, at) => {
      const own = exceptions[at];
      return typeof own === 'bigint' ? [{ valueIds, cents: own }] : [];
    }),
  };
}

const sketch: fc.Arbitrary<Omit<ProductSketch, 'name'>> = fc
  .tuple(
    fc.record({
      cents: fc.bigInt({ min: 1n, max: 900n }),
      category: fc.constantFrom('Phones', 'Laptops', 'Cases'),
      brand: fc.constantFrom('Apple', 'Nomad', 'Anker'),
      sold: fc.nat(3),
      createdAt: fc.integer({ min: 1, max: 4 }).map((day) => new Date(Date.UTC(2025, 0, day))),
      offers: fc.record({
        Memory: generateOffering('128GB', '256GB', '512GB'),
        Color: generateOffering('Blue', 'Red', 'Gold'),
      }),
    }),
    anyExceptions,
  )
  .map(([sketched, exceptions]) => addExceptions(sketched, exceptions));
const WORDS = ['İ%', 'pro_', 'ab', 'B\\', 'a'];
const anyCatalogue = fc
  .array(fc.tuple(sketch, fc.subarray(WORDS)), { minLength: 1, maxLength: 12 })
  .map((parts) => buildCatalogue(parts.map(([one, words], at) => ({ ...one, name: `${words.join(' ')} ${at}` }))));

interface SearchFilter {
  readonly text: string;
  readonly categories: readonly string[];
  readonly brands: readonly string[];
  readonly bounds: readonly [bigint | undefined, bigint | undefined];
  readonly picks: readonly number[];
}
/** Omits each part half of the time, since a query with all parts finds nothing. */
const generateHalf = <T>(none: T, some: fc.Arbitrary<T>): fc.Arbitrary<T> => fc.oneof(fc.constant(none), some);
const anyBound = generateHalf(undefined, fc.bigInt({ min: 0n, max: 1000n }));
const anyFilter: fc.Arbitrary<SearchFilter> = fc.record({
  text: generateHalf('', fc.constantFrom('A', 'pro_', '%', '\\', 'b\\', 'zz', '1', ' ')),
  categories: generateHalf([], fc.subarray(['phones', 'laptops', 'cases', 'none'])),
  brands: generateHalf([], fc.subarray(['apple', 'nomad', 'anker'])),
  bounds: fc.tuple(anyBound, anyBound),
  picks: generateHalf([], fc.array(fc.nat(20), { maxLength: 4 })),
});

function generateFilter(filter: SearchFilter, { propertyNames }: CatalogueData): ProductFilter {
  const ids = [...propertyNames.keys()];
  const chosen = filter.picks.flatMap((pick) => ids[pick] ?? (pick === 20 ? 'unknown' : []));
  const [minimum, maximum] = filter.bounds;
  return {
    text: filter.text,
    categories: filter.categories,
    brands: filter.brands,
    ...(minimum === undefined ? {} : { minimumCents: cents(minimum) }),
    ...(maximum === undefined ? {} : { maximumCents: cents(maximum) }),
    values: groupValues(chosen, propertyNames),
  };
}

test('[API-02] [SRCH-01] [SRCH-04] [SRCH-05] returns the same pages as an exhaustive search', () => {
  const anySort = fc.constantFrom(undefined, 'price_asc', 'price_desc', 'newest', 'best_sold');
  fc.assert(
    fc.property(anyCatalogue, anyFilter, anySort, fc.nat(3), fc.nat(9), (catalogue, question, sort, offset, limit) => {
      const filter = generateFilter(question, catalogue);
      const search = new ProductSearch(catalogue.products, createFuzzyIndex);
      const expected = searchByReference(catalogue.products, filter, sort);
      // Twice: the second response comes from the cache.
      for (const _ of [1, 2]) {
        assert.equal(search.countProducts(filter), expected.length);
        assert.deepEqual(search.listPage(filter, { sort, offset, limit }), expected.slice(offset, offset + limit));
      }
    }),
    { numRuns: 300 },
  );
});

test('[CAT-06] counts products for each option alone in its group', () => {
  fc.assert(
    fc.property(anyCatalogue, anyFilter, (catalogue, question) => {
      const filter = generateFilter(question, catalogue);
      const counts = new ProductSearch(catalogue.products, createFuzzyIndex).countOptions(filter);
      const countLeft = (change: ProductFilter): number =>
        catalogue.products.filter((product) => isMatch(product, { ...filter, ...change })).length;
      for (const { id } of catalogue.brands) assert.equal(counts.brands.get(id) ?? 0, countLeft({ brands: [id] }));
      for (const { id } of catalogue.categories) {
        assert.equal(counts.categories.get(id) ?? 0, countLeft({ categories: [id] }));
      }
      for (const [id, property] of catalogue.propertyNames) {
        const values = new Map([...(filter.values ?? []), [property, new Set([id])] as const]);
        assert.equal(counts.values.get(id) ?? 0, countLeft({ values }), id);
      }
    }),
    { numRuns: 300 },
  );
});

test('[CAT-04] computes bounds without the price filter', () => {
  fc.assert(
    fc.property(anyCatalogue, anyFilter, (catalogue, question) => {
      const filter = generateFilter(question, catalogue);
      const { minimumCents: _minimum, maximumCents: _maximum, ...anyPrice } = filter;
      const prices = catalogue.products
        .filter((product) => isMatch(product, anyPrice))
        .flatMap((product) => listPrices(product, filter.values))
        .toSorted((a, b) => Number(a - b));
      const expected = prices.length > 0 ? { minimumCents: prices[0], maximumCents: prices.at(-1) } : null;
      assert.deepEqual(new ProductSearch(catalogue.products, createFuzzyIndex).countOptions(filter).prices, expected);
    }),
    { numRuns: 300 },
  );
});

test('a sale changes only the sold units', () => {
  const catalogue = buildCatalogue([{ name: 'a', sold: 1 }, { name: 'b', sold: 2 }, { name: 'c' }]);
  const sold = applyStockAndSales(
    catalogue,
    new Map([
      ['b', { soldUnits: 9 }],
      ['unknown', { soldUnits: 5 }],
    ]),
  );
  assert.deepEqual(
    sold.products.map(({ soldUnits }) => soldUnits),
    [1, 9, 0],
  );
  assert.deepEqual(sold.productsBySlug.get('b'), { ...catalogue.productsById.get('b'), soldUnits: 9 });
  assert.equal(catalogue.productsById.get('b')?.soldUnits, 2);
  assert.equal(sold.productsById.get('unknown'), undefined);
});

test('[CAT-06] sorts by new sales and reuses other results', () => {
  const catalogue = buildCatalogue([{ name: 'a', sold: 1 }, { name: 'b', sold: 2 }, { name: 'c' }]);
  const first = { sort: 'best_sold', offset: 0, limit: 3 } as const;
  const listNames = (search: ProductSearch) => search.listPage({}, first).map(({ name }) => name);
  const before = new ProductSearch(catalogue.products, createFuzzyIndex);
  assert.deepEqual(listNames(before), ['b', 'a', 'c']);
  const after = new ProductSearch(
    applyStockAndSales(catalogue, new Map([['c', { soldUnits: 7 }]])).products,
    createFuzzyIndex,
    before,
  );
  assert.deepEqual(listNames(after), ['c', 'b', 'a']);
  assert.equal(after.listPage({ text: 'c' }, first)[0]?.soldUnits, 7);
  assert.deepEqual(listNames(before), ['b', 'a', 'c']);
});
