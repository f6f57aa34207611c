/** A simple reference implementation of the catalogue search, to compare the fast one with. */
import type { CatalogueProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import type { ProductFilter } from '#src/shop/catalogue/filters/filter-products.ts';
import type { ProductSort } from '#src/shop/catalogue/filters/sort-products.ts';

type Values = NonNullable<ProductFilter['values']>;

/** All prices of a product with these values; empty if it lacks one. */
export function listPrices(product: CatalogueProduct, values: Values = new Map()): readonly bigint[] {
  let prices: bigint[] = [product.basePriceCents];
  for (const [name, ids] of values) {
    const offered = product.offered.find((property) => property.name === name)?.values ?? [];
    const increases = offered.filter(({ id }) => ids.has(id)).map(({ increaseCents }) => increaseCents);
    prices = prices.flatMap((price) => increases.map((increase) => price + increase));
  }
  return prices;
}

function isOneOf(wanted: readonly string[] = [], named: { readonly id: string; readonly slug: string }): boolean {
  return wanted.length === 0 || wanted.includes(named.id) || wanted.includes(named.slug);
}

export function isMatch(product: CatalogueProduct, filter: ProductFilter): boolean {
  const { text = '', minimumCents = 0n, maximumCents = 10n ** 15n } = filter;
  return (
    isOneOf(filter.categories, product.category) &&
    isOneOf(filter.brands, product.brand) &&
    product.name.toLowerCase().includes(text.toLowerCase()) &&
    listPrices(product, filter.values).some((price) => price >= minimumCents && price <= maximumCents)
  );
}

const comparisons: Readonly<Record<ProductSort, (a: CatalogueProduct, b: CatalogueProduct) => number>> = {
  price_asc: (a, b) => Number(a.basePriceCents - b.basePriceCents),
  price_desc: (a, b) => Number(b.basePriceCents - a.basePriceCents),
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
  return sort ? passing.toSorted(comparisons[sort]) : passing;
}
