import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { addFuzzyMatches, RANK } from '../search/fuzzy-search.ts';
import type { TextMatches } from '../search/fuzzy-search.ts';
import type { Column, ProductIndex } from '../product-index.ts';
import { listDeltas } from './price-table.ts';
import type { ChosenValues } from './price-table.ts';

export interface ProductFilter {
  /** Part of the name, in any case, without wildcards. Fuzzy matches follow exact ones. */
  readonly text?: string;
  /** Slugs or ids; one must match. */
  readonly categories?: readonly string[];
  readonly brands?: readonly string[];
  readonly minimumCents?: Cents;
  readonly maximumCents?: Cents;
  readonly values?: ChosenValues;
}

/**
 * Reasons why a product fails: one bit per part of the filter. Values and price depend on each
 * other and share a bit.
 */
export const FAILURE_BITS = { text: 1, category: 2, brand: 4, offer: 8 } as const;

export interface Matches {
  /** By position of the product; 0 for a match. */
  readonly failed: Uint8Array;
  /** Match quality of each name; null without a text. */
  readonly text: TextMatches | null;
  /** Number of matches. */
  readonly total: number;
}

const NAMELESS = '';

/**
 * Groups values by property name, so that the 256GB of a phone and of a laptop are alternatives.
 * Unknown ids form a group that matches no product.
 */
export function groupValues(valueIds: readonly string[], propertyNames: ReadonlyMap<string, string>): ChosenValues {
  const groups = Map.groupBy(valueIds, (id) => propertyNames.get(id) ?? NAMELESS);
  return new Map([...groups].map(([name, ids]) => [name, new Set(ids)]));
}

const toCents = (dollars: number): Cents => cents(BigInt(Math.round(dollars * 100)));

/**
 * Price bounds in cents from dollars with at most two decimals. Not ok if the minimum exceeds the
 * maximum.
 */
export function toPriceBounds(
  minimumUsd: number | undefined,
  maximumUsd: number | undefined,
):
  | { readonly ok: true; readonly bounds: Pick<ProductFilter, 'minimumCents' | 'maximumCents'> }
  | { readonly ok: false } {
  if (minimumUsd !== undefined && maximumUsd !== undefined && minimumUsd > maximumUsd) return { ok: false };
  return {
    ok: true,
    bounds: {
      ...(minimumUsd === undefined ? {} : { minimumCents: toCents(minimumUsd) }),
      ...(maximumUsd === undefined ? {} : { maximumCents: toCents(maximumUsd) }),
    },
  };
}

/** Ranks each name by its match with the text: names that contain it come before fuzzy matches. */
export function rankText({ names, nameStarts, wordIndex }: ProductIndex, text: string): TextMatches {
  const ranks = new Uint8Array(nameStarts.length);
  const part = text.toLowerCase();
  // NUL separates the names.
  if (part.includes('\u0000')) return { ranks, lastRank: RANK.exact };
  let position = 0;
  let exact = 0;
  for (let at = names.indexOf(part, 1); at !== -1 && position < ranks.length;) {
    while ((nameStarts[position + 1] ?? Infinity) <= at) position += 1;
    ranks[position] = RANK.exact;
    exact += 1;
    position += 1;
    at = names.indexOf(part, nameStarts[position] ?? names.length);
  }
  return addFuzzyMatches(wordIndex, text, ranks, exact);
}

/**
 * Prices of a table's variants with the chosen values, relative to the base price; null if no variant
 * has them. Computed once per table.
 */
export function createDeltaLookup(
  { getTable }: ProductIndex,
  chosen: ChosenValues,
): (number: number) => readonly number[] | null {
  const cache: (readonly number[] | null | undefined)[] = [];
  return (number) => {
    const before = cache[number];
    if (before !== undefined) return before;
    const deltas = listDeltas(getTable(number), chosen);
    cache[number] = deltas;
    return deltas;
  };
}

/** A query as the API decodes it. */
interface FilterQuery {
  readonly q?: string | undefined;
  readonly category?: string | readonly string[] | undefined;
  readonly brand?: string | readonly string[] | undefined;
  readonly price_min?: number | undefined;
  readonly price_max?: number | undefined;
  /** Comma-separated ids. */
  readonly values?: string | undefined;
}

const toList = (names: string | readonly string[] | undefined): readonly string[] =>
  typeof names === 'string' ? [names] : (names ?? []);

/** Converts an API query; null if the minimum price exceeds the maximum. */
export function toProductFilter(query: FilterQuery, propertyNames: ReadonlyMap<string, string>): ProductFilter | null {
  const prices = toPriceBounds(query.price_min, query.price_max);
  if (!prices.ok) return null;
  return {
    ...prices.bounds,
    ...(query.q === undefined ? {} : { text: query.q }),
    categories: toList(query.category),
    brands: toList(query.brand),
    values: groupValues(query.values?.split(',') ?? [], propertyNames),
  };
}

/** Whether a base price plus one of the deltas is within the bounds. */
export function createPriceTest({ minimumCents, maximumCents }: ProductFilter) {
  const minimum = minimumCents === undefined ? 0 : Number(minimumCents);
  const maximum = maximumCents === undefined ? Infinity : Number(maximumCents);
  return (base: number, deltas: Iterable<number>): boolean => {
    for (const delta of deltas) if (base + delta >= minimum && base + delta <= maximum) return true;
    return false;
  };
}

/** Failure bit of each entry of a column, by its number. */
function markFailures({ named }: Column, selected: readonly string[] = [], part: number): Uint8Array {
  const names = new Set(selected);
  return Uint8Array.from(named, ({ id, slug }) => (names.size === 0 || names.has(id) || names.has(slug) ? 0 : part));
}

/** Whether the product at a position has a variant with the chosen values and a price within the bounds. */
function createVariantTest(
  index: ProductIndex,
  filter: ProductFilter,
  chosen: ChosenValues,
): (position: number) => boolean {
  if (chosen.size === 0 && filter.minimumCents === undefined && filter.maximumCents === undefined) return () => true;
  const findDeltas = createDeltaLookup(index, chosen);
  const isInBounds = createPriceTest(filter);
  return (position) => {
    const deltas = findDeltas(index.tableOf[position] ?? 0);
    return deltas !== null && isInBounds(index.prices[position] ?? 0, deltas);
  };
}

/**
 * Matches all products against a filter: one variant that is sold has the chosen values and a price
 * within the bounds.
 * @param rankedText result of `rankText` for the filter's text, if already computed
 */
export function matchProducts(index: ProductIndex, filter: ProductFilter, rankedText?: TextMatches): Matches {
  const { text = '', values = new Map<string, ReadonlySet<string>>() } = filter;
  const matches = text === '' ? null : (rankedText ?? rankText(index, text));
  const ranks = matches?.ranks ?? null;
  const categoryFailures = markFailures(index.categories, filter.categories, FAILURE_BITS.category);
  const brandFailures = markFailures(index.brands, filter.brands, FAILURE_BITS.brand);
  const hasVariant = createVariantTest(index, filter, values);
  const failed = new Uint8Array(index.products.length);
  let total = 0;
  for (let at = 0; at < failed.length; at += 1) {
    let parts = categoryFailures[index.categories.of[at] ?? 0] ?? 0;
    parts |= brandFailures[index.brands.of[at] ?? 0] ?? 0;
    if (ranks !== null && ranks[at] === 0) parts |= FAILURE_BITS.text;
    if (!hasVariant(at)) parts |= FAILURE_BITS.offer;
    failed[at] = parts;
    if (parts === 0) total += 1;
  }
  return { failed, text: matches, total };
}
