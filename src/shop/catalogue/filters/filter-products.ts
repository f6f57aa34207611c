import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { addFuzzyMatches, RANK } from '../search/fuzzy-search.ts';
import type { TextMatches } from '../search/fuzzy-search.ts';
import type { Column, ProductIndex } from '../product-index.ts';

/** Ids of values by the name of their property: of each property one must be offered. */
export type ChosenValues = ReadonlyMap<string, ReadonlySet<string>>;

export interface ProductFilter {
  /** Part of the name, whatever the case; every character stands for itself. Names that nearly have it follow. */
  readonly text?: string;
  /** Slugs or ids; one of them must fit. */
  readonly categories?: readonly string[];
  readonly brands?: readonly string[];
  readonly minimumCents?: Cents;
  readonly maximumCents?: Cents;
  readonly values?: ChosenValues;
}

/** Why a product does not pass: a bit for each part of the filter. Values and price hang together and are one part. */
export const FAILURE_BITS = { text: 1, category: 2, brand: 4, offer: 8 } as const;

export interface Matches {
  /** By the position of the product; 0 for one that passes. */
  readonly failed: Uint8Array;
  /** How well the name of each product matches the text; null without a text. */
  readonly text: TextMatches | null;
  /** How many pass. */
  readonly total: number;
}

const NAMELESS = '';

/**
 * Chosen values grouped by the name of their property, so that the 256GB of a phone and the 256GB of a laptop are
 * alternatives. Ids that the catalogue does not know make a group of their own, which no product fits.
 */
export function groupValues(valueIds: readonly string[], propertyNames: ReadonlyMap<string, string>): ChosenValues {
  const groups = Map.groupBy(valueIds, (id) => propertyNames.get(id) ?? NAMELESS);
  return new Map([...groups].map(([name, ids]) => [name, new Set(ids)]));
}

const inCents = (dollars: number): Cents => cents(BigInt(Math.round(dollars * 100)));

/** Bounds of a price filter in whole cents, from dollars with at most two decimals; a minimum above the maximum is no range. */
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
      ...(minimumUsd === undefined ? {} : { minimumCents: inCents(minimumUsd) }),
      ...(maximumUsd === undefined ? {} : { maximumCents: inCents(maximumUsd) }),
    },
  };
}

/** How well the name of each product matches the text: those that contain it come before those that nearly do. */
export function rankText({ names, nameStarts, wordIndex }: ProductIndex, text: string): TextMatches {
  const ranks = new Uint8Array(nameStarts.length);
  const part = text.toLowerCase();
  // Names are parted by it.
  if (part.includes('\u0000')) return { ranks, lastRank: RANK.exact };
  let position = 0;
  let exact = 0;
  for (let found = names.indexOf(part, 1); found !== -1 && position < ranks.length;) {
    while ((nameStarts[position + 1] ?? Infinity) <= found) position += 1;
    ranks[position] = RANK.exact;
    exact += 1;
    position += 1;
    found = names.indexOf(part, nameStarts[position] ?? names.length);
  }
  return addFuzzyMatches(wordIndex, text, ranks, exact);
}

/** What chosen values can add to the base price of each offer, in cents; null where it does not have one of each property. */
export type Increases = (offer: number) => readonly number[] | null;

const NO_INCREASE: readonly number[] = [0];

/** The sums of the increases of one chosen value of each property, worked out once for each offer. */
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
  const ofGroup = (offer: number, group: number): readonly number[] => {
    const increases: number[] = [];
    for (let at = offerStarts[offer] ?? 0; at < (offerStarts[offer + 1] ?? 0); at += 1) {
      const number = offered[at] ?? 0;
      if (groupOf[number] === group) increases.push(values.increases[number] ?? 0);
    }
    return increases;
  };
  const sumsOf = (offer: number): readonly number[] | null => {
    let sums = NO_INCREASE;
    for (let group = 0; group < chosen.size; group += 1) {
      const increases = ofGroup(offer, group);
      if (increases.length === 0) return null;
      sums = [...new Set(sums.flatMap((sum) => increases.map((increase) => sum + increase)))];
    }
    return sums;
  };
  const known: (readonly number[] | null | undefined)[] = [];
  return (offer) => {
    const before = known[offer];
    if (before !== undefined) return before;
    const sums = sumsOf(offer);
    known[offer] = sums;
    return sums;
  };
}

/** Whether a base price with one of the increases lies within the bounds of the filter. */
export function createPriceTest({ minimumCents, maximumCents }: ProductFilter) {
  const minimum = minimumCents === undefined ? 0 : Number(minimumCents);
  const maximum = maximumCents === undefined ? Infinity : Number(maximumCents);
  return (base: number, increases: readonly number[]): boolean => {
    for (const increase of increases) if (base + increase >= minimum && base + increase <= maximum) return true;
    return false;
  };
}

/** The failed part of each of a column's entries, by its number. */
function markFailures({ named }: Column, wanted: readonly string[] = [], part: number): Uint8Array {
  const names = new Set(wanted);
  return Uint8Array.from(named, ({ id, slug }) => (names.size === 0 || names.has(id) || names.has(slug) ? 0 : part));
}

/**
 * Which products pass a filter, and what stops the others; prices count with the increases of the chosen values.
 * @param rankedText what `rankText` says of the filter's text, where it is known already
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
    const own = increases(index.offerOf[at] ?? 0);
    if (own === null || !isInBounds(index.prices[at] ?? 0, own)) parts |= FAILURE_BITS.offer;
    failed[at] = parts;
    if (parts === 0) total += 1;
  }
  return { failed, text: matches, total };
}
