import type { CatalogueProduct } from '../build-catalogue-data.ts';
import { createDeltaLookup, createPriceTest } from './filter-products.ts';
import type { Matches, ProductFilter } from './filter-products.ts';
import type { ProductIndex } from '../product-index.ts';
import { getPriceTable } from './price-table.ts';

export type ProductSort = 'price_asc' | 'price_desc' | 'newest' | 'best_sold';

/** In cents: that of `computeLowestPriceCents`, from the table of the price filter. */
const findLowestPrice = (product: CatalogueProduct): number =>
  Number(product.basePriceCents) + (getPriceTable(product).deltas[0] ?? 0);

const keys: Readonly<Record<ProductSort, (product: CatalogueProduct) => number>> = {
  price_asc: findLowestPrice,
  price_desc: (product) => -findLowestPrice(product),
  newest: ({ createdAt }) => -createdAt.getTime(),
  best_sold: ({ soldUnits }) => -soldUnits,
};

/** Positions of all products sorted by lowest price, date or sales. Stable. */
export function sortProducts({ products }: ProductIndex, sort: ProductSort): Uint32Array {
  const key = Float64Array.from(products, keys[sort]);
  const positions = Uint32Array.from(key, (_, position) => position);
  return positions.toSorted((a, b) => (key[a] ?? 0) - (key[b] ?? 0) || a - b);
}

/** In cents; Infinity for a product of which no variant matches. */
function findMatchingPrice(index: ProductIndex, filter: ProductFilter): (position: number) => number {
  const findDeltas = createDeltaLookup(index, filter.values ?? new Map());
  const isInBounds = createPriceTest(filter);
  return (position) => {
    const base = index.prices[position] ?? 0;
    return (
      base + Math.min(...(findDeltas(index.tableOf[position] ?? 0) ?? []).filter((delta) => isInBounds(base, [delta])))
    );
  };
}

/** Positions of the matching products sorted by the price of their cheapest variant that matches. Stable. */
export function sortMatchesByPrice(
  index: ProductIndex,
  filter: ProductFilter,
  { failed, total }: Matches,
  sort: 'price_asc' | 'price_desc',
): Uint32Array {
  const findPrice = findMatchingPrice(index, filter);
  const sign = sort === 'price_asc' ? 1 : -1;
  const key = new Float64Array(failed.length);
  const positions = new Uint32Array(total);
  let passed = 0;
  for (let at = 0; at < failed.length; at += 1) {
    if (failed[at] !== 0) continue;
    key[at] = sign * findPrice(at);
    positions[passed] = at;
    passed += 1;
  }
  return positions.toSorted((a, b) => (key[a] ?? 0) - (key[b] ?? 0) || a - b);
}

/**
 * One page of the matching products. Better text matches come first in any sort order.
 * @param order result of `sortProducts` or `sortMatchesByPrice`; null for the display order
 */
export function listMatchesPage(
  { products }: ProductIndex,
  { failed, text, total }: Matches,
  order: Uint32Array | null,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly CatalogueProduct[] {
  const page: CatalogueProduct[] = [];
  const end = Math.min(offset + limit, total);
  let passed = 0;
  const lastRank = text?.lastRank ?? 1;
  const length = order?.length ?? failed.length;
  for (let rank = 1; rank <= lastRank; rank += 1) {
    for (let at = 0; passed < end && at < length; at += 1) {
      const position = order === null ? at : (order[at] ?? 0);
      if (failed[position] !== 0 || (lastRank > 1 && text?.ranks[position] !== rank)) continue;
      const product = products[position];
      if (passed >= offset && product) page.push(product);
      passed += 1;
    }
  }
  return page;
}
