import { formatDollars } from '#src/shop/format-number.ts';
import { clearFilters } from './catalogue-query.ts';
import type { CatalogueQuery } from './catalogue-query.ts';
import { sortPropertyValues } from './sort-capacities.ts';

interface CountedName {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly count: number;
}

/** Filter options with counts, as returned by the API. */
export interface CountedOptions {
  readonly categories: readonly CountedName[];
  readonly brands: readonly CountedName[];
  readonly properties: readonly {
    readonly category_id: string;
    readonly name: string;
    readonly values: readonly { readonly id: string; readonly value: string; readonly count: number }[];
  }[];
}

/** One checkbox of the panel. */
export interface PanelOption {
  readonly label: string;
  /** Slugs, or the ids of all values with this name. */
  readonly ids: readonly string[];
  /** Number of products it would leave. */
  readonly count: number;
}

export interface PanelGroup {
  readonly name: string;
  readonly options: readonly PanelOption[];
}

/** An active filter, and the query without it. */
export interface ActiveFilter {
  readonly label: string;
  readonly without: CatalogueQuery;
}

const exclude = (all: readonly string[], some: readonly string[]): readonly string[] =>
  all.filter((item) => !some.includes(item));
const isAny = (selected: readonly string[], ids: readonly string[]): boolean => ids.some((id) => selected.includes(id));

const listNames = (all: readonly CountedName[]): ReadonlySet<string> =>
  new Set(all.flatMap(({ id, slug }) => [id, slug]));

/**
 * Drops names that are not in the catalogue from the query. Returns the same object if there are
 * none.
 */
export function dropUnknownNames(
  query: CatalogueQuery,
  { categories, brands, properties }: CountedOptions,
): CatalogueQuery {
  const knownNames = { categories: listNames(categories), brands: listNames(brands) };
  const valueIds = new Set(properties.flatMap(({ values }) => values.map(({ id }) => id)));
  const cleaned = {
    categories: query.categories.filter((name) => knownNames.categories.has(name)),
    brands: query.brands.filter((name) => knownNames.brands.has(name)),
    values: query.values.filter((id) => valueIds.has(id)),
  };
  const isAll =
    cleaned.categories.length === query.categories.length &&
    cleaned.brands.length === query.brands.length &&
    cleaned.values.length === query.values.length;
  return isAll ? query : { ...query, ...cleaned };
}

/** Converts categories or brands to checkboxes. */
export const toPanelOptions = (listNamed: readonly CountedName[]): readonly PanelOption[] =>
  listNamed.map(({ slug, name, count }) => ({ label: name, ids: [slug], count }));

/**
 * Groups properties by name across categories, and their values by name: the 256GB of a phone and
 * of a laptop are one checkbox.
 */
export function buildPropertyGroups(properties: CountedOptions['properties']): readonly PanelGroup[] {
  return [...Map.groupBy(properties, ({ name }) => name)].map(([name, alike]) => {
    const byValue = Map.groupBy(
      alike.flatMap(({ values }) => values),
      ({ value }) => value,
    );
    const merged = [...byValue].map(([value, sameName]) => ({
      value,
      ids: sameName.map(({ id }) => id),
      // Adding is correct, since a product has one category.
      count: sameName.reduce((sum, { count }) => sum + count, 0),
    }));
    return { name, options: sortPropertyValues(merged).map(({ value, ids, count }) => ({ label: value, ids, count })) };
  });
}

/** Options that leave products, and checked ones. */
export const filterVisibleOptions = (
  options: readonly PanelOption[],
  selected: readonly string[],
): readonly PanelOption[] => options.filter(({ ids, count }) => count > 0 || isAny(selected, ids));

/** Selected ids after an option was toggled. */
export const toggleOption = (
  selected: readonly string[],
  { ids }: PanelOption,
  isNowChecked: boolean,
): readonly string[] => (isNowChecked ? [...selected, ...exclude(ids, selected)] : exclude(selected, ids));

export const isChecked = (selected: readonly string[], { ids }: PanelOption): boolean => isAny(selected, ids);

function formatPriceLabel({ minimum, maximum }: CatalogueQuery): string | null {
  if (minimum !== null && maximum !== null) return `${formatDollars(minimum)} to ${formatDollars(maximum)}`;
  if (minimum !== null) return `From ${formatDollars(minimum)}`;
  return maximum === null ? null : `Up to ${formatDollars(maximum)}`;
}

/** Active filters in the order of the panel, each with the query without it. */
export function listActiveFilters(query: CatalogueQuery, options: CountedOptions): readonly ActiveFilter[] {
  const first = { ...query, offset: 0 };
  const listNamed = (key: 'categories' | 'brands'): ActiveFilter[] =>
    options[key]
      .filter(({ id, slug }) => isAny(query[key], [id, slug]))
      .map(({ id, slug, name }) => ({ label: name, without: { ...first, [key]: exclude(query[key], [id, slug]) } }));
  const price = formatPriceLabel(query);
  return [
    ...(price === null ? [] : [{ label: price, without: { ...first, minimum: null, maximum: null } }]),
    ...listNamed('categories'),
    ...listNamed('brands'),
    ...buildPropertyGroups(options.properties).flatMap((group) =>
      group.options
        .filter((option) => isChecked(query.values, option))
        .map((option) => ({ label: option.label, without: { ...first, values: exclude(query.values, option.ids) } })),
    ),
  ];
}

/** Query of a category page that shows all products of a search result group. */
export const createGroupQuery = (query: CatalogueQuery, ownValues: ReadonlySet<string>): CatalogueQuery => ({
  ...clearFilters(query),
  brands: query.brands,
  minimum: query.minimum,
  maximum: query.maximum,
  values: query.values.filter((id) => ownValues.has(id)),
});
