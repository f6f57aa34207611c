import { clearFilters } from './catalogue-query.ts';
import type { CatalogueQuery } from './catalogue-query.ts';
import { sortPropertyValues } from './sort-capacities.ts';

interface CountedName {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly count: number;
}

/** What the shop says of the options of a filter. */
export interface CountedOptions {
  readonly categories: readonly CountedName[];
  readonly brands: readonly CountedName[];
  readonly properties: readonly {
    readonly category_id: string;
    readonly name: string;
    readonly values: readonly { readonly id: string; readonly value: string; readonly count: number }[];
  }[];
}

/** One box of the panel. */
export interface PanelOption {
  readonly label: string;
  /** What ticking it asks for: slugs, or the ids of all values that are called so. */
  readonly ids: readonly string[];
  /** How many products it would leave. */
  readonly count: number;
}

export interface PanelGroup {
  readonly name: string;
  readonly options: readonly PanelOption[];
}

/** A filter at work, and the question without it. */
export interface ActiveFilter {
  readonly label: string;
  readonly without: CatalogueQuery;
}

const without = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((one) => !some.includes(one));
const isAny = (wanted: readonly string[], ids: readonly string[]): boolean => ids.some((id) => wanted.includes(id));

const namesOf = (all: readonly CountedName[]): ReadonlySet<string> =>
  new Set(all.flatMap(({ id, slug }) => [id, slug]));

/** The question as far as the catalogue knows what it names; the same object when that is all of it. */
export function dropUnknownNames(
  query: CatalogueQuery,
  { categories, brands, properties }: CountedOptions,
): CatalogueQuery {
  const known = { categories: namesOf(categories), brands: namesOf(brands) };
  const valueIds = new Set(properties.flatMap(({ values }) => values.map(({ id }) => id)));
  const kept = {
    categories: query.categories.filter((one) => known.categories.has(one)),
    brands: query.brands.filter((one) => known.brands.has(one)),
    values: query.values.filter((one) => valueIds.has(one)),
  };
  const isAll =
    kept.categories.length === query.categories.length &&
    kept.brands.length === query.brands.length &&
    kept.values.length === query.values.length;
  return isAll ? query : { ...query, ...kept };
}

/** Categories or brands as boxes. */
export const toPanelOptions = (named: readonly CountedName[]): readonly PanelOption[] =>
  named.map(({ slug, name, count }) => ({ label: name, ids: [slug], count }));

/**
 * Properties as groups of boxes. Properties of one name are one group, values of one name one box, whatever the
 * category: the 256GB of a phone and of a laptop are ticked together.
 */
export function buildPropertyGroups(properties: CountedOptions['properties']): readonly PanelGroup[] {
  return [...Map.groupBy(properties, ({ name }) => name)].map(([name, alike]) => {
    const byValue = Map.groupBy(
      alike.flatMap(({ values }) => values),
      ({ value }) => value,
    );
    const merged = [...byValue].map(([value, same]) => ({
      value,
      ids: same.map(({ id }) => id),
      // A product is of one category: nobody is counted twice.
      count: same.reduce((sum, { count }) => sum + count, 0),
    }));
    return { name, options: sortPropertyValues(merged).map(({ value, ids, count }) => ({ label: value, ids, count })) };
  });
}

/** Boxes worth showing: those that leave something, and those that are ticked. */
export const filterVisibleOptions = (
  options: readonly PanelOption[],
  wanted: readonly string[],
): readonly PanelOption[] => options.filter(({ ids, count }) => count > 0 || isAny(wanted, ids));

/** The wanted ones after a box was ticked or unticked. */
export const toggleOption = (wanted: readonly string[], { ids }: PanelOption, isTicked: boolean): readonly string[] =>
  isTicked ? [...wanted, ...without(ids, wanted)] : without(wanted, ids);

export const isChecked = (wanted: readonly string[], { ids }: PanelOption): boolean => isAny(wanted, ids);

const formatDollars = (amount: number): string => `$${amount.toLocaleString('en-US')}`;

function formatPriceLabel({ minimum, maximum }: CatalogueQuery): string | null {
  if (minimum !== null && maximum !== null) return `${formatDollars(minimum)} to ${formatDollars(maximum)}`;
  if (minimum !== null) return `From ${formatDollars(minimum)}`;
  return maximum === null ? null : `Up to ${formatDollars(maximum)}`;
}

/** Every filter at work with a way out of it, in the order of the panel. */
export function listActiveFilters(query: CatalogueQuery, options: CountedOptions): readonly ActiveFilter[] {
  const first = { ...query, offset: 0 };
  const named = (key: 'categories' | 'brands'): ActiveFilter[] =>
    options[key]
      .filter(({ id, slug }) => isAny(query[key], [id, slug]))
      .map(({ id, slug, name }) => ({ label: name, without: { ...first, [key]: without(query[key], [id, slug]) } }));
  const price = formatPriceLabel(query);
  return [
    ...(price === null ? [] : [{ label: price, without: { ...first, minimum: null, maximum: null } }]),
    ...named('categories'),
    ...named('brands'),
    ...buildPropertyGroups(options.properties).flatMap((group) =>
      group.options
        .filter((option) => isChecked(query.values, option))
        .map((option) => ({ label: option.label, without: { ...first, values: without(query.values, option.ids) } })),
    ),
  ];
}

/** The question with which a category's own page shows what a group of results stands for. */
export const createGroupQuery = (query: CatalogueQuery, ownValues: ReadonlySet<string>): CatalogueQuery => ({
  ...clearFilters(query),
  brands: query.brands,
  minimum: query.minimum,
  maximum: query.maximum,
  values: query.values.filter((id) => ownValues.has(id)),
});
