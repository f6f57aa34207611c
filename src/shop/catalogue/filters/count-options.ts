import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { FAILURE_BITS, createDeltaLookup, createPriceTest } from './filter-products.ts';
import type { Matches, ProductFilter } from './filter-products.ts';
import { listDeltasByValue } from './price-table.ts';
import type { Column, ProductIndex } from '../product-index.ts';

export interface OptionCounts {
  /** By id of the category, brand or value; without options that would leave nothing. */
  readonly categories: ReadonlyMap<string, number>;
  readonly brands: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, number>;
  /** Price range of products that pass all filters except price; null if there are none. */
  readonly prices: { readonly minimumCents: Cents; readonly maximumCents: Cents } | null;
}

/** All parts but the offer. */
const BEFORE_OFFER = ~FAILURE_BITS.offer;

function add(counts: Map<string, number>, key: string, count: number): void {
  if (count > 0) counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Counts products that pass all but one part, by the id in that part's column. */
function countColumn({ of, named }: Column, failed: Uint8Array, part: number): Map<string, number> {
  const numbers = new Uint32Array(named.length);
  for (let at = 0; at < failed.length; at += 1) {
    if (((failed[at] ?? 0) & ~part) !== 0) continue;
    const number = of[at] ?? 0;
    numbers[number] = (numbers[number] ?? 0) + 1;
  }
  const counts = new Map<string, number>();
  for (const [number, { id }] of named.entries()) add(counts, id, numbers[number] ?? 0);
  return counts;
}

interface TableCounts {
  readonly values: readonly { readonly id: string; readonly deltas: ReadonlySet<number> }[];
  /** Products by position of the value. */
  readonly counts: Uint32Array;
}

/** Counts, by value id, the products left if only this value of its property is selected. */
function countValues(index: ProductIndex, filter: ProductFilter, failed: Uint8Array): Map<string, number> {
  const { tableOf, getTable, tableCount, prices } = index;
  const { values: chosen = new Map<string, ReadonlySet<string>>() } = filter;
  const isInBounds = createPriceTest(filter);
  const tables: (TableCounts | undefined)[] = Array.from({ length: tableCount });
  for (let at = 0; at < failed.length; at += 1) {
    if (((failed[at] ?? 0) & BEFORE_OFFER) !== 0) continue;
    const number = tableOf[at] ?? 0;
    let table = tables[number];
    if (table === undefined) {
      const values = [...listDeltasByValue(getTable(number), chosen)].map(([id, deltas]) => ({ id, deltas }));
      table = { values, counts: new Uint32Array(values.length) };
      tables[number] = table;
    }
    const { values, counts } = table;
    for (let place = 0; place < values.length; place += 1) {
      if (isInBounds(prices[at] ?? 0, values[place]?.deltas ?? [])) counts[place] = (counts[place] ?? 0) + 1;
    }
  }
  const total = new Map<string, number>();
  for (const { values, counts } of tables.filter((table) => table !== undefined)) {
    for (const [place, { id }] of values.entries()) add(total, id, counts[place] ?? 0);
  }
  return total;
}

/** Price range, ignoring the price filter. */
function computePriceSpan(
  index: ProductIndex,
  { values = new Map() }: ProductFilter,
  failed: Uint8Array,
): OptionCounts['prices'] {
  const findDeltas = createDeltaLookup(index, values);
  let [minimum, maximum] = [Infinity, -Infinity];
  for (let at = 0; at < failed.length; at += 1) {
    if (((failed[at] ?? 0) & BEFORE_OFFER) !== 0) continue;
    const price = index.prices[at] ?? 0;
    for (const delta of findDeltas(index.tableOf[at] ?? 0) ?? []) {
      if (price + delta < minimum) minimum = price + delta;
      if (price + delta > maximum) maximum = price + delta;
    }
  }
  return maximum < minimum ? null : { minimumCents: cents(BigInt(minimum)), maximumCents: cents(BigInt(maximum)) };
}

/**
 * Counts the products for each option of the filter panel: the other filters stay, and the option
 * is the only one of its group.
 */
export function countOptions(index: ProductIndex, filter: ProductFilter, { failed }: Matches): OptionCounts {
  return {
    categories: countColumn(index.categories, failed, FAILURE_BITS.category),
    brands: countColumn(index.brands, failed, FAILURE_BITS.brand),
    values: countValues(index, filter, failed),
    prices: computePriceSpan(index, filter, failed),
  };
}
