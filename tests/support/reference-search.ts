/** A simple reference implementation of the catalogue search, to compare the fast one with. */
import type { CatalogueProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import { listCombinations } from '#src/shop/catalogue/products/variants.ts';
import type { ProductFilter } from '#src/shop/catalogue/filters/filter-products.ts';
import type { ProductSort } from '#src/shop/catalogue/filters/sort-products.ts';

type Values = NonNullable<ProductFilter['values']>;

/** Prices of the sold variants of a product with these values; of its first combination if none is sold. */
export function listPrices(product: CatalogueProduct, values: Values = new Map()): readonly bigint[] {
  const combinations = listCombinations(product.offered);
  const sold = combinations.filter((ids) => !product.unsold.has(ids.join()));
  return (sold.length === 0 ? combinations.slice(0, 1) : sold)
    .filter((ids) => [...values.values()].every((group) => ids.some((id) => group.has(id))))
    .map((ids) => {
      const own = product.ownPrices.get(ids.join());
      if (own !== undefined) return own;
      const chosen = product.offered.flatMap((property) => property.values.filter(({ id }) => ids.includes(id)));
      return chosen.reduce((price, { increaseCents }) => price + increaseCents, 0n + product.basePriceCents);
    });
}

const isWithin = (price: bigint, { minimumCents, maximumCents }: ProductFilter): boolean =>
  price >= (minimumCents ?? 0n) && price <= (maximumCents ?? 10n ** 15n);

/** Of the variants that match the filter. */
const findLowest = (product: CatalogueProduct, filter: ProductFilter): bigint =>
  listPrices(product, filter.values)
    .filter((price) => isWithin(price, filter))
    .reduce((least, price) => (price < least ? price : least));

function isOneOf(wanted: readonly string[] = [], named: { readonly id: string; readonly slug: string }): boolean {
  return wanted.length === 0 || wanted.includes(named.id) || wanted.includes(named.slug);
}

export function isMatch(product: CatalogueProduct, filter: ProductFilter): boolean {
  const { text = '' } = filter;
  return (
    isOneOf(filter.categories, product.category) &&
    isOneOf(filter.brands, product.brand) &&
    product.name.toLowerCase().includes(text.toLowerCase()) &&
    listPrices(product, filter.values).some((price) => isWithin(price, filter))
  );
}

type Compare = (a: CatalogueProduct, b: CatalogueProduct, filter: ProductFilter) => number;

const comparisons: Readonly<Record<ProductSort, Compare>> = {
  price_asc: (a, b, filter) => Number(findLowest(a, filter) - findLowest(b, filter)),
  price_desc: (a, b, filter) => Number(findLowest(b, filter) - findLowest(a, filter)),
  newest: (a, b) => b.createdAt.getTime() - a.createdAt.getTime(),
  best_sold: (a, b) => b.soldUnits - a.soldUnits,
};

/** Products that pass the filters, sorted; ties are in shop order. */
export function searchByReference(
  products: readonly CatalogueProduct[],
  filter: ProductFilter,
  sort?: ProductSort,
): readonly CatalogueProduct[] {
  const passing = products.filter((product) => isMatch(product, filter));
  return sort ? passing.toSorted((a, b) => comparisons[sort](a, b, filter)) : passing;
}
