import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { FAILURE_BITS, computeIncreases, createPriceTest } from './filter-products.ts';
import type { Increases, Matches, ProductFilter } from './filter-products.ts';
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

/** Counts, by value number, the products left if only this value of its property is selected. */
function countValues(index: ProductIndex, filter: ProductFilter, failed: Uint8Array): Uint32Array {
  const { offerOf, offered, offerStarts, prices, values } = index;
  const { values: chosen = new Map<string, ReadonlySet<string>>() } = filter;
  const hasBounds = filter.minimumCents !== undefined || filter.maximumCents !== undefined;
  const isInBounds = createPriceTest(filter);
  const increases = computeIncreases(index, chosen);
  const withoutOwn = new Map(
    [...chosen.keys()].map((name) => {
      const otherProperties = [...chosen].filter(([property]) => property !== name);
      return [name, computeIncreases(index, new Map(otherProperties))];
    }),
  );
  const othersOf = values.properties.map((name): Increases => withoutOwn.get(name) ?? increases);
  const counts = new Uint32Array(values.ids.length);
  for (let at = 0; at < failed.length; at += 1) {
    if (((failed[at] ?? 0) & BEFORE_OFFER) !== 0) continue;
    const offer = offerOf[at] ?? 0;
    const end = offerStarts[offer + 1] ?? 0;
    for (let place = offerStarts[offer] ?? 0; place < end; place += 1) {
      const number = offered[place] ?? 0;
      const otherIncreases = othersOf[number]?.(offer) ?? null;
      if (otherIncreases === null) continue;
      const price = (prices[at] ?? 0) + (values.increases[number] ?? 0);
      if (!hasBounds || isInBounds(price, otherIncreases)) counts[number] = (counts[number] ?? 0) + 1;
    }
  }
  return counts;
}

/** Price range, ignoring the price filter. */
function computePriceSpan(
  index: ProductIndex,
  { values = new Map() }: ProductFilter,
  failed: Uint8Array,
): OptionCounts['prices'] {
  const increases = computeIncreases(index, values);
  let [minimum, maximum] = [Infinity, -Infinity];
  for (let at = 0; at < failed.length; at += 1) {
    if (((failed[at] ?? 0) & BEFORE_OFFER) !== 0) continue;
    const price = index.prices[at] ?? 0;
    for (const increase of increases(index.offerOf[at] ?? 0) ?? []) {
      if (price + increase < minimum) minimum = price + increase;
      if (price + increase > maximum) maximum = price + increase;
    }
  }
  return maximum < minimum ? null : { minimumCents: cents(BigInt(minimum)), maximumCents: cents(BigInt(maximum)) };
}

/**
 * Counts the products for each option of the filter panel: the other filters stay, and the option
 * is the only one of its group.
 */
export function countOptions(index: ProductIndex, filter: ProductFilter, { failed }: Matches): OptionCounts {
  const values = new Map<string, number>();
  for (const [number, count] of countValues(index, filter, failed).entries()) {
    add(values, index.values.ids[number] ?? '', count);
  }
  return {
    categories: countColumn(index.categories, failed, FAILURE_BITS.category),
    brands: countColumn(index.brands, failed, FAILURE_BITS.brand),
    values,
    prices: computePriceSpan(index, filter, failed),
  };
}
