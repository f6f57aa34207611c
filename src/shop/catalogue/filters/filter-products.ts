import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { addFuzzyMatches, RANK } from '../search/fuzzy-search.ts';
import type { TextMatches } from '../search/fuzzy-search.ts';
import type { Column, ProductIndex } from '../product-index.ts';

/** Value ids by property name. A product must be offered with one of each property. */
export type ChosenValues = ReadonlyMap<string, ReadonlySet<string>>;

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
 * Possible increases of an offer in cents for the chosen values; null if it lacks one of the
 * properties.
 */
export type Increases = (offer: number) => readonly number[] | null;

const NO_INCREASE: readonly number[] = [0];

/** Sums of increases for one chosen value per property, computed once per offer. */
export function computeIncreases(index: ProductIndex, chosen: ChosenValues): Increases {
  if (chosen.size === 0) return () => NO_INCREASE;
  const { values, offered, offerStarts } = index;
  const groupOf = new Int32Array(values.ids.length).fill(-1);
  for (const [group, [name, ids]] of [...chosen].entries()) {
    for (const id of ids) {
      const number = values.numbers.get(id);
      if (number !== undefined && values.properties[number] === name) groupOf[number] = group;
    }
  }
  const listGroupIncreases = (offer: number, group: number): readonly number[] => {
    const increases: number[] = [];
    for (let at = offerStarts[offer] ?? 0; at < (offerStarts[offer + 1] ?? 0); at += 1) {
      const number = offered[at] ?? 0;
      if (groupOf[number] === group) increases.push(values.increases[number] ?? 0);
    }
    return increases;
  };
  const computeSums = (offer: number): readonly number[] | null => {
    let sums = NO_INCREASE;
    for (let group = 0; group < chosen.size; group += 1) {
      const increases = listGroupIncreases(offer, group);
      if (increases.length === 0) return null;
      sums = [...new Set(sums.flatMap((sum) => increases.map((increase) => sum + increase)))];
    }
    return sums;
  };
  const cache: (readonly number[] | null | undefined)[] = [];
  return (offer) => {
    const before = cache[offer];
    if (before !== undefined) return before;
    const sums = computeSums(offer);
    cache[offer] = sums;
    return sums;
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

/** Whether a base price plus one of the increases is within the bounds. */
export function createPriceTest({ minimumCents, maximumCents }: ProductFilter) {
  const minimum = minimumCents === undefined ? 0 : Number(minimumCents);
  const maximum = maximumCents === undefined ? Infinity : Number(maximumCents);
  return (base: number, increases: readonly number[]): boolean => {
    for (const increase of increases) if (base + increase >= minimum && base + increase <= maximum) return true;
    return false;
  };
}

/** Failure bit of each entry of a column, by its number. */
function markFailures({ named }: Column, selected: readonly string[] = [], part: number): Uint8Array {
  const names = new Set(selected);
  return Uint8Array.from(named, ({ id, slug }) => (names.size === 0 || names.has(id) || names.has(slug) ? 0 : part));
}

/**
 * Matches all products against a filter; prices include the increases of the chosen values.
 * @param rankedText result of `rankText` for the filter's text, if already computed
 */
export function matchProducts(index: ProductIndex, filter: ProductFilter, rankedText?: TextMatches): Matches {
  const { text = '', values = new Map<string, ReadonlySet<string>>() } = filter;
  const matches = text === '' ? null : (rankedText ?? rankText(index, text));
  const ranks = matches?.ranks ?? null;
  const categoryFailures = markFailures(index.categories, filter.categories, FAILURE_BITS.category);
  const brandFailures = markFailures(index.brands, filter.brands, FAILURE_BITS.brand);
  const increases = computeIncreases(index, values);
  const isInBounds = createPriceTest(filter);
  const failed = new Uint8Array(index.products.length);
  let total = 0;
  for (let at = 0; at < failed.length; at += 1) {
    let parts = categoryFailures[index.categories.of[at] ?? 0] ?? 0;
    parts |= brandFailures[index.brands.of[at] ?? 0] ?? 0;
    if (ranks !== null && ranks[at] === 0) parts |= FAILURE_BITS.text;
    const ownIncreases = increases(index.offerOf[at] ?? 0);
    if (ownIncreases === null || !isInBounds(index.prices[at] ?? 0, ownIncreases)) parts |= FAILURE_BITS.offer;
    failed[at] = parts;
    if (parts === 0) total += 1;
  }
  return { failed, text: matches, total };
}
