import type { CatalogueProduct } from './build-catalogue-data.ts';
import type { OfferedProperty } from './products/choose-values.ts';
import { buildWordIndex } from './search/word-index.ts';
import type { CreateFuzzyIndex, WordIndex } from './search/word-index.ts';

/** Built on first use, so that startup does not wait for it. */
type LazyWordIndex = () => WordIndex;

/** One attribute of all products as numbers: `named[of[position]]`. */
export interface Column {
  readonly of: Uint32Array;
  readonly named: readonly { readonly id: string; readonly slug: string }[];
}

/** Property values by number. */
interface ValueColumn {
  readonly ids: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  /** Property name and price increase in cents, by value number. */
  readonly properties: readonly string[];
  readonly increases: Float64Array;
}

/**
 * Search data of all products in arrays by position, which keeps a search over 100,000 products
 * within milliseconds. Money is a number here, far below 2^53, for comparisons only.
 */
export interface ProductIndex {
  readonly products: readonly CatalogueProduct[];
  /** All names in lower case, each after a NUL, and the start of each. */
  readonly names: string;
  readonly nameStarts: Uint32Array;
  readonly wordIndex: LazyWordIndex;
  /** Base prices in cents. */
  readonly prices: Float64Array;
  readonly categories: Column;
  readonly brands: Column;
  readonly values: ValueColumn;
  /** Number of the value set that each product is offered with. */
  readonly offerOf: Uint32Array;
  /**
   * Value numbers of all sets, concatenated, and the start of each set; with one start more than
   * sets.
   */
  readonly offered: Uint32Array;
  readonly offerStarts: Uint32Array;
}

function assignNumbers<T>(products: readonly CatalogueProduct[], key: (product: CatalogueProduct) => T) {
  const numbers = new Map<T, number>();
  const of = new Uint32Array(products.length);
  for (const [position, product] of products.entries()) {
    const name = key(product);
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    of[position] = number;
  }
  return { of, named: [...numbers.keys()] };
}

function numberValues(offers: readonly (readonly OfferedProperty[])[]) {
  const numbers = new Map<string, number>();
  const properties: string[] = [];
  const increases: number[] = [];
  const offered: number[] = [];
  const offerStarts = new Uint32Array(offers.length + 1);
  for (const [offer, property] of offers.entries()) {
    for (const { name, values } of property) {
      for (const { id, increaseCents } of values) {
        const number = numbers.get(id) ?? numbers.size;
        numbers.set(id, number);
        properties[number] = name;
        increases[number] = Number(increaseCents);
        offered.push(number);
      }
    }
    offerStarts[offer + 1] = offered.length;
  }
  const values = { ids: [...numbers.keys()], numbers, properties, increases: Float64Array.from(increases) };
  return { values, offered: Uint32Array.from(offered), offerStarts };
}

function joinNames(products: readonly CatalogueProduct[]) {
  const lower = products.map(({ name }) => name.toLowerCase());
  const nameStarts = new Uint32Array(lower.length);
  let end = 0;
  for (const [position, name] of lower.entries()) {
    nameStarts[position] = end + 1;
    end += name.length + 1;
  }
  return { names: lower.map((name) => `\u0000${name}`).join(''), nameStarts };
}

function memoize<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}

export function buildProductIndex(
  products: readonly CatalogueProduct[],
  openFuzzyWords: CreateFuzzyIndex,
): ProductIndex {
  // Products with the same values share a list.
  const offers = assignNumbers(products, ({ offered }) => offered);
  return {
    products,
    ...joinNames(products),
    wordIndex: memoize(() =>
      buildWordIndex(
        products.map(({ name }) => name),
        openFuzzyWords,
      ),
    ),
    prices: Float64Array.from(products, ({ basePriceCents }) => Number(basePriceCents)),
    categories: assignNumbers(products, ({ category }) => category),
    brands: assignNumbers(products, ({ brand }) => brand),
    offerOf: offers.of,
    ...numberValues(offers.named),
  };
}
