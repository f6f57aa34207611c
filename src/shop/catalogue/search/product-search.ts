import type { CatalogueProduct } from '../build-snapshot.ts';
import { countOptions } from '../filters/count-options.ts';
import type { OptionCounts } from '../filters/count-options.ts';
import { matchProducts, rankText } from '../filters/filter-products.ts';
import type { Matches, ProductFilter } from '../filters/filter-products.ts';
import type { TextMatches } from './forgive-text.ts';
import { buildProductIndex } from '../product-index.ts';
import type { ProductIndex } from '../product-index.ts';
import { nearestProducts } from '../products/nearest-products.ts';
import { orderProducts, pageOfMatches } from '../filters/sort-products.ts';
import type { ProductSort } from '../filters/sort-products.ts';
import type { OpenFuzzyWords } from './word-index.ts';

/** How many answers are kept; each takes a byte a product. */
const KEPT = 64;

export interface PageWanted {
  readonly sort: ProductSort | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** What was made lately, by its key; the one made longest ago gives way. */
class Kept<T> {
  readonly #made = new Map<string, T>();

  take(key: string, make: () => T): T {
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    const [oldest] = this.#made.keys();
    if (this.#made.size >= KEPT && oldest !== undefined) this.#made.delete(oldest);
    this.#made.set(key, made);
    return made;
  }
}

function keyOf({ text = '', categories = [], brands = [], minimumCents, maximumCents, values }: ProductFilter): string {
  const chosen = [...(values ?? [])].map(([name, ids]) => [name, ...[...ids].toSorted()]);
  const bounds = [minimumCents, maximumCents].map(String);
  return JSON.stringify([text.toLowerCase(), categories.toSorted(), brands.toSorted(), bounds, chosen]);
}

/** Searches one state of the catalogue; what was asked for lately is not searched for again. */
export class ProductSearch {
  readonly #index: ProductIndex;
  readonly #texts: Kept<TextMatches>;
  readonly #matches: Kept<Matches>;
  readonly #counts: Kept<OptionCounts>;
  readonly #orders = new Kept<Uint32Array>();

  /** @param before a search of the same products, of which nothing has changed but the units sold */
  constructor(products: readonly CatalogueProduct[], openFuzzyWords: OpenFuzzyWords, before?: ProductSearch) {
    this.#index = before ? { ...before.#index, products } : buildProductIndex(products, openFuzzyWords);
    this.#texts = before ? before.#texts : new Kept();
    this.#matches = before ? before.#matches : new Kept();
    this.#counts = before ? before.#counts : new Kept();
  }

  /** How many products pass. */
  total(filter: ProductFilter): number {
    return this.#match(filter).total;
  }

  /** One page of the products that pass. */
  page(filter: ProductFilter, { sort, offset, limit }: PageWanted): readonly CatalogueProduct[] {
    const order = sort ? this.#orders.take(sort, () => orderProducts(this.#index, sort)) : null;
    return pageOfMatches(this.#index, this.#match(filter), order, { offset, limit });
  }

  countOptions(filter: ProductFilter): OptionCounts {
    return this.#counts.take(keyOf(filter), () => countOptions(this.#index, filter, this.#match(filter)));
  }

  /** The products that come nearest to a text, the nearest first; none where no word is like any of theirs. */
  nearest(text: string, limit: number): readonly CatalogueProduct[] {
    return nearestProducts(this.#index, text, limit);
  }

  #match(filter: ProductFilter): Matches {
    const { text = '' } = filter;
    return this.#matches.take(keyOf(filter), () => {
      if (text === '') return matchProducts(this.#index, filter);
      const rankedText = this.#texts.take(text.toLowerCase(), () => rankText(this.#index, text));
      return matchProducts(this.#index, filter, rankedText);
    });
  }
}
