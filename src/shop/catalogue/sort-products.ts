import type { CatalogueProduct } from './build-snapshot.ts';

export type ProductSort = 'price_asc' | 'price_desc' | 'newest' | 'best_sold';

const comparePrices = (a: CatalogueProduct, b: CatalogueProduct): number => Number(a.basePriceCents - b.basePriceCents);

const comparisons: Readonly<Record<ProductSort, (a: CatalogueProduct, b: CatalogueProduct) => number>> = {
  price_asc: comparePrices,
  price_desc: (a, b) => comparePrices(b, a),
  newest: (a, b) => b.createdAt.getTime() - a.createdAt.getTime(),
  best_sold: (a, b) => b.soldUnits - a.soldUnits,
};

/** Sorted by the base price, the date or the sales; among equals, and without a sort, the order of the shop stays. */
export function sortProducts(
  products: readonly CatalogueProduct[],
  sort: ProductSort | undefined,
): readonly CatalogueProduct[] {
  return sort ? products.toSorted(comparisons[sort]) : products;
}
