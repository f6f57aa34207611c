import type { CatalogueProduct } from './build-catalogue-data.ts';
import { getPriceTable, getPriceTableKey } from './filters/price-table.ts';
import type { PriceTable } from './filters/price-table.ts';
import { buildWordIndex } from './search/word-index.ts';
import type { CreateFuzzyIndex, WordIndex } from './search/word-index.ts';

/** Built on first use, so that startup does not wait for it. */
type LazyWordIndex = () => WordIndex;

/** One attribute of all products as numbers: `named[of[position]]`. */
export interface Column {
  readonly of: Uint32Array;
  readonly named: readonly { readonly id: string; readonly slug: string }[];
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
  /** Number of the price table of each product. */
  readonly tableOf: Uint32Array;
  /** A table by its number, built on first use. */
  readonly getTable: (number: number) => PriceTable;
  readonly tableCount: number;
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

/** Products that offer the same share a table. */
function numberTables(products: readonly CatalogueProduct[]) {
  const { of: tableOf, named } = assignNumbers(products, getPriceTableKey);
  const examples = new Uint32Array(named.length);
  for (const [position, number] of tableOf.entries()) examples[number] = position;
  const built: PriceTable[] = [];
  const getTable = (number: number): PriceTable => {
    const product = products[examples[number] ?? 0];
    if (product === undefined) throw new RangeError(`no price table ${number}`);
    return (built[number] ??= getPriceTable(product));
  };
  return { tableOf, getTable, tableCount: named.length };
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
    ...numberTables(products),
  };
}

/**
 * The index after some products were replaced. Builds only what depends on the changed attributes.
 * @param positions of the replaced products
 */
export function updateProductIndex(
  before: ProductIndex,
  products: readonly CatalogueProduct[],
  positions: readonly number[],
  openFuzzyWords: CreateFuzzyIndex,
): ProductIndex {
  const isSame = (key: (product: CatalogueProduct) => unknown): boolean =>
    positions.every((at) => {
      const [old, present] = [before.products[at], products[at]];
      return old !== undefined && present !== undefined && key(old) === key(present);
    });
  if (!isSame(({ name }) => name) || !isSame(({ category }) => category) || !isSame(({ brand }) => brand)) {
    return buildProductIndex(products, openFuzzyWords);
  }
  const prices = before.prices.slice();
  for (const at of positions) prices[at] = Number(products[at]?.basePriceCents ?? 0n);
  if (isSame(getPriceTableKey)) return { ...before, products, prices };
  return { ...before, products, prices, ...numberTables(products) };
}
