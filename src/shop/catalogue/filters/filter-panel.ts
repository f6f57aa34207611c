import { FILTER_LABELS } from './catalogue-query.ts';
import type { CatalogueQuery, NamedField } from './catalogue-query.ts';
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

interface NamedOption {
  readonly label: string;
  /** All that a query may have for it. */
  readonly ids: readonly string[];
}

const nameOptions = (counted: readonly CountedName[]): readonly NamedOption[] =>
  counted.map(({ id, slug, name }) => ({ label: name, ids: [id, slug] }));

/** Options of the filters that have some, in the order of the panel. */
const listNamedOptions = ({
  categories,
  brands,
  properties,
}: CountedOptions): Readonly<Record<NamedField, readonly NamedOption[]>> => ({
  categories: nameOptions(categories),
  brands: nameOptions(brands),
  values: buildPropertyGroups(properties).flatMap(({ options }) => options),
});

const NAMED_FIELDS: readonly NamedField[] = ['categories', 'brands', 'values'];

/**
 * Drops names that are not in the catalogue from the query. Returns the same object if there are
 * none.
 */
export function dropUnknownNames(query: CatalogueQuery, counted: CountedOptions): CatalogueQuery {
  const options = listNamedOptions(counted);
  const keepKnown = (field: NamedField): readonly string[] => {
    const known = new Set(options[field].flatMap(({ ids }) => ids));
    return query[field].filter((name) => known.has(name));
  };
  const kept = NAMED_FIELDS.map((field) => [field, keepKnown(field)] as const);
  const isAll = kept.every(([field, names]) => names.length === query[field].length);
  return isAll ? query : { ...query, ...Object.fromEntries(kept) };
}

/** Active filters in the order of the panel, each with the query without it. */
export function listActiveFilters(query: CatalogueQuery, counted: CountedOptions): readonly ActiveFilter[] {
  const first = { ...query, offset: 0 };
  const options = listNamedOptions(counted);
  const labelled = Object.values(FILTER_LABELS).flatMap((row) => {
    const label = row?.format(query) ?? null;
    return label === null ? [] : [{ label, without: { ...first, ...row?.cleared } }];
  });
  const named = NAMED_FIELDS.flatMap((field) =>
    options[field]
      .filter(({ ids }) => isAny(query[field], ids))
      .map(({ label, ids }) => ({ label, without: { ...first, [field]: exclude(query[field], ids) } })),
  );
  return [...labelled, ...named];
}

/** Query of a category page that shows all products of a search result group. */
export const createGroupQuery = (query: CatalogueQuery, ownValues: ReadonlySet<string>): CatalogueQuery => ({
  ...query,
  categories: [],
  values: query.values.filter((id) => ownValues.has(id)),
  offset: 0,
});
