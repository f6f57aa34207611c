import { chooseValues } from './choose-values.ts';
import type { Choice, OfferedProperty } from './choose-values.ts';

/** Identifies a variant of a product: its value ids, sorted. Empty for a product without properties. */
export const createVariantKey = (valueIds: readonly string[]): string => valueIds.toSorted().join();

/** The sorted value ids of a variant key. */
export const parseVariantKey = (key: string): readonly string[] => (key === '' ? [] : key.split(','));

/** Variants of a product that differ from the rule: all combinations are sold, at base price plus increases. */
export interface VariantExceptions<Amount> {
  /** Keys of combinations that are not sold. */
  readonly unsold: ReadonlySet<string>;
  /** Prices of variants that have one of their own, by key. */
  readonly ownPrices: ReadonlyMap<string, Amount>;
}

/** Every combination of one value per property, in display order; each sorted, as stored. */
export function listCombinations(
  offered: readonly { readonly values: readonly { readonly id: string }[] }[],
): readonly (readonly string[])[] {
  let combinations: readonly (readonly string[])[] = [[]];
  for (const { values } of offered) {
    combinations = combinations.flatMap((combination) => values.map(({ id }) => [...combination, id]));
  }
  return combinations.map((combination) => combination.toSorted());
}

/** SKU of the variant at this position, derived from the article number: the article itself if it is the only one. */
export const createSku = (article: string, position: number, total: number): string =>
  total === 1 ? article : `${article}-${position + 1}`;

interface OfferedProduct extends Pick<VariantExceptions<unknown>, 'unsold'> {
  readonly offered: readonly OfferedProperty[];
}

/** Sorted value ids of the variants that are sold with the named values, in display order. */
export function listSoldWith(
  { offered, unsold }: OfferedProduct,
  namedIds: readonly string[],
): readonly (readonly string[])[] {
  const named = new Set(namedIds);
  return listCombinations(offered).filter(
    (combination) =>
      !unsold.has(createVariantKey(combination)) && combination.filter((id) => named.has(id)).length === named.size,
  );
}

/**
 * Completes a choice to a variant that is sold. Properties not named take their first value, or the
 * first one that is sold with the named values. `unknown-values` if there is none.
 */
export function chooseVariant(product: OfferedProduct, namedIds: readonly string[] = []): Choice {
  const { offered, unsold } = product;
  const first = chooseValues(offered, namedIds);
  if (!first.ok || !unsold.has(createVariantKey(first.valueIds))) return first;
  const [sold] = listSoldWith(product, namedIds);
  return sold === undefined ? { ok: false, reason: 'unknown-values' } : chooseValues(offered, sold);
}
