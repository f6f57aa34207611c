import type { CatalogueProduct } from '../build-catalogue-data.ts';
import { countOptions } from '../filters/count-options.ts';
import type { OptionCounts } from '../filters/count-options.ts';
import { matchProducts, rankText } from '../filters/filter-products.ts';
import type { Matches, ProductFilter } from '../filters/filter-products.ts';
import type { TextMatches } from './fuzzy-search.ts';
import { buildProductIndex, updateProductIndex } from '../product-index.ts';
import type { ProductIndex } from '../product-index.ts';
import { findNearestProducts } from './nearest-products.ts';
import { selectsVariants } from '../filters/matching-variant.ts';
import { sortProducts, sortMatchesByPrice, listMatchesPage } from '../filters/sort-products.ts';
import type { ProductSort } from '../filters/sort-products.ts';
import type { CreateFuzzyIndex } from './word-index.ts';

/** Number of cached results; each takes one byte per product. */
const MAX_CACHED = 64;

export interface PageRequest {
  readonly sort: ProductSort | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Number of cached orders of matches; each takes four bytes per match. */
const MAX_CACHED_ORDERS = 8;

/** LRU cache. */
class RecentCache<T> {
  readonly #entries = new Map<string, T>();
  readonly #most: number;

  constructor(most = MAX_CACHED) {
    this.#most = most;
  }

  getOrCreate(key: string, make: () => T): T {
    const cached = this.#entries.get(key);
    if (cached !== undefined) return cached;
    const value = make();
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.#most && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, value);
    return value;
  }
}

/** Equal for filters that differ only in the order of names or in the case of the text. */
function createKey({ text = '', categories = [], brands = [], values, ...others }: ProductFilter): string {
  const chosen = [...(values ?? [])].map(([name, ids]) => [name, ...[...ids].toSorted()]);
  // Scalars only, so that two different filters never have the same text.
  const scalars = Object.entries<bigint | number | string | boolean | undefined>(others).map(([name, value]) => [
    name,
    String(value),
  ]);
  return JSON.stringify([text.toLowerCase(), categories.toSorted(), brands.toSorted(), chosen, scalars]);
}

/** Searches one state of the catalogue, with a cache of recent results. */
export class ProductSearch {
  readonly #index: ProductIndex;
  readonly #texts: RecentCache<TextMatches>;
  readonly #matches: RecentCache<Matches>;
  readonly #counts: RecentCache<OptionCounts>;
  readonly #sortOrders = new RecentCache<Uint32Array>();
  readonly #matchOrders = new RecentCache<Uint32Array>(MAX_CACHED_ORDERS);

  /**
   * @param before a search of the same products, some of which have other attributes now
   * @param edited their positions; none if only sales figures differ
   */
  constructor(
    products: readonly CatalogueProduct[],
    openFuzzyWords: CreateFuzzyIndex,
    before?: ProductSearch,
    edited: readonly number[] = [],
  ) {
    this.#index = before
      ? updateProductIndex(before.#index, products, edited, openFuzzyWords)
      : buildProductIndex(products, openFuzzyWords);
    const isUnchanged = before !== undefined && edited.length === 0;
    this.#texts = before !== undefined && before.#index.names === this.#index.names ? before.#texts : new RecentCache();
    this.#matches = isUnchanged ? before.#matches : new RecentCache();
    this.#counts = isUnchanged ? before.#counts : new RecentCache();
  }

  /** Number of matches. */
  countProducts(filter: ProductFilter): number {
    return this.#match(filter).total;
  }

  /** One page of the matches. */
  listPage(filter: ProductFilter, { sort, offset, limit }: PageRequest): readonly CatalogueProduct[] {
    const order = sort ? this.#sort(filter, sort) : null;
    return listMatchesPage(this.#index, this.#match(filter), order, { offset, limit });
  }

  #sort(filter: ProductFilter, sort: ProductSort): Uint32Array {
    if ((sort !== 'price_asc' && sort !== 'price_desc') || !selectsVariants(filter))
      return this.#sortOrders.getOrCreate(sort, () => sortProducts(this.#index, sort));
    return this.#matchOrders.getOrCreate(`${sort} ${createKey(filter)}`, () =>
      sortMatchesByPrice(this.#index, filter, this.#match(filter), sort),
    );
  }

  countOptions(filter: ProductFilter): OptionCounts {
    return this.#counts.getOrCreate(createKey(filter), () => countOptions(this.#index, filter, this.#match(filter)));
  }

  /** Products nearest to a text, best first; empty without a similar word. */
  findNearest(text: string, limit: number): readonly CatalogueProduct[] {
    return findNearestProducts(this.#index, text, limit);
  }

  #match(filter: ProductFilter): Matches {
    const { text = '' } = filter;
    return this.#matches.getOrCreate(createKey(filter), () => {
      if (text === '') return matchProducts(this.#index, filter);
      const rankedText = this.#texts.getOrCreate(text.toLowerCase(), () => rankText(this.#index, text));
      return matchProducts(this.#index, filter, rankedText);
    });
  }
}
