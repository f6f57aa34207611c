import type { CatalogueProduct } from './build-snapshot.ts';
import { filterProducts, passesFilter } from './filter-products.ts';
import type { ProductFilter } from './filter-products.ts';

export interface OptionCounts {
  /** By the id of a category, a brand, a value; what would leave nothing is missing. */
  readonly categories: ReadonlyMap<string, number>;
  readonly brands: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, number>;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function countBy(
  products: readonly CatalogueProduct[],
  key: (product: CatalogueProduct) => string,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const product of products) increment(counts, key(product));
  return counts;
}

/**
 * How many products each option of the filter panel would leave: the rest of the filter stays, within its own group the
 * option stands alone.
 */
export function countOptions(products: readonly CatalogueProduct[], filter: ProductFilter): OptionCounts {
  const { values: chosen = new Map<string, ReadonlySet<string>>(), ...rest } = filter;
  const { minimumCents: _minimum, maximumCents: _maximum, ...anyPrice } = rest;
  const values = new Map<string, number>();
  for (const product of filterProducts(products, anyPrice)) {
    for (const property of product.offered) {
      for (const { id } of property.values) {
        const alone = new Map([...chosen, [property.name, new Set([id])]]);
        if (passesFilter(product, { ...rest, values: alone })) increment(values, id);
      }
    }
  }
  return {
    categories: countBy(filterProducts(products, { ...filter, categories: [] }), ({ category }) => category.id),
    brands: countBy(filterProducts(products, { ...filter, brands: [] }), ({ brand }) => brand.id),
    values,
  };
}
