/** What the URL of a filtered list asks for: a row for each filter, and how URLs are read and written. */
import type { SentFilter } from '../contract.ts';
import { cleanText, parseDollars, parseIds, parseNames } from './parse-parameters.ts';
import { formatPriceLabel } from './price-range.ts';
import type { ProductSort } from './sort-products.ts';

/** Products per page of a category. */
export const PAGE_SIZE = 24;

/** Products requested by a page URL. The names in it may not exist. */
export interface CatalogueQuery {
  /** Trimmed; empty for all names. */
  readonly text: string;
  /** Slugs or ids. */
  readonly categories: readonly string[];
  readonly brands: readonly string[];
  /** US dollars, at most two decimals. The minimum never exceeds the maximum. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** Ids of property values. */
  readonly values: readonly string[];
  readonly sort: ProductSort | null;
  /** A multiple of the page size. */
  readonly offset: number;
}
type QueryField = keyof CatalogueQuery;

// A filter has a row in each table of this file.

/** The default view. */
const EMPTY_QUERY: CatalogueQuery = {
  text: '',
  categories: [],
  brands: [],
  minimum: null,
  maximum: null,
  values: [],
  sort: null,
  offset: 0,
};

/** Names in URLs and in calls, in the order of the URL. The search page has its own for the text. */
const PARAMETERS: Readonly<Record<QueryField, string>> = {
  text: 'q',
  categories: 'category',
  brands: 'brand',
  minimum: 'price_min',
  maximum: 'price_max',
  values: 'values',
  sort: 'sort',
  offset: 'offset',
};

/** Lists that are one text with commas. Others have a parameter for each entry. */
const JOINED: QueryField = 'values';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
const FIELDS = Object.keys(PARAMETERS) as readonly QueryField[];

/** URL parameter of the text; the search page has its own. */
export type TextName = 'q' | 'query';

/** Texts of a parameter; none if it is empty. */
function formatField(query: CatalogueQuery, field: QueryField): readonly string[] {
  const value = query[field];
  if (String(value) === String(EMPTY_QUERY[field])) return [];
  return (field === JOINED ? [value] : [value].flat()).map(String);
}

/** Names and values in the order of the URL; none for the default view. */
export const listParameters = (query: CatalogueQuery, textName: TextName): string[][] =>
  FIELDS.flatMap((field) =>
    formatField(query, field).map((text) => [field === 'text' ? textName : PARAMETERS[field], text]),
  );

/** Formats the query part of the URL with its question mark; empty for the default view. */
export function formatCatalogueQuery(query: CatalogueQuery, textName: TextName): string {
  const search = new URLSearchParams(listParameters(query, textName)).toString();
  // Commas need no escape here and keep the ids readable.
  return search && `?${search.replaceAll('%2C', ',')}`;
}

/** Query without filters; text and sort stay. */
export const clearFilters = ({ text, sort }: CatalogueQuery): CatalogueQuery => ({ ...EMPTY_QUERY, text, sort });

// ---- for loaders: the scripts of the browser have none of this

const SORTS: readonly ProductSort[] = ['price_asc', 'price_desc', 'newest', 'best_sold'];

function parseOffset([written = '']: readonly string[]): number {
  if (!/^\d{1,9}$/.test(written)) return 0;
  return Number(written) - (Number(written) % PAGE_SIZE);
}

/** What the texts of a parameter mean. Invalid ones are ignored. */
const READERS: { readonly [Field in QueryField]: (texts: readonly string[]) => CatalogueQuery[Field] } = {
  text: ([text = '']) => cleanText(text),
  categories: parseNames,
  brands: parseNames,
  minimum: parseDollars,
  maximum: parseDollars,
  values: parseIds,
  sort: ([text]) => SORTS.find((sort) => sort === text) ?? null,
  offset: parseOffset,
};

function readFields(getTexts: (name: string) => readonly string[]): CatalogueQuery {
  const query: Partial<Record<QueryField, unknown>> = {};
  for (const field of FIELDS) query[field] = READERS[field](getTexts(PARAMETERS[field]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the table
  return query as CatalogueQuery;
}

interface FilterLabel {
  /** Null: the filter is not active. */
  readonly format: (query: CatalogueQuery) => string | null;
  /** What removing the filter changes. */
  readonly cleared: Partial<CatalogueQuery>;
}

/** Filters whose values have names, which `filter-panel.ts` lists. */
export type NamedField = 'categories' | 'brands' | 'values';
type ViewField = 'text' | 'sort' | 'offset';
type FilterField = Exclude<QueryField, ViewField>;

/** What the other active filters are called. Null: the row before has the label. */
export const FILTER_LABELS: { readonly [Field in Exclude<FilterField, NamedField>]: FilterLabel | null } = {
  minimum: { format: formatPriceLabel, cleared: { minimum: null, maximum: null } },
  maximum: null,
};

/** URL parameters of a filtered list; the search page has `query` in addition. */
export const FILTER_PARAMETERS: readonly string[] = Object.values(PARAMETERS);

const isFilter = (field: QueryField): field is FilterField =>
  field !== 'text' && field !== 'sort' && field !== 'offset';
export const listFilterFields = (): readonly FilterField[] => FIELDS.filter(isFilter);

/** Whether any filter besides the text is set. */
export const hasFilter = (query: CatalogueQuery): boolean =>
  listFilterFields().some((field) => formatField(query, field).length > 0);

/** API filter of the query, without sort and page. */
export function toApiFilter(query: CatalogueQuery): SentFilter {
  const filter: Record<string, unknown> = query.text === '' ? {} : { q: query.text };
  for (const field of listFilterFields()) {
    const texts = formatField(query, field);
    const isRepeated = Array.isArray(query[field]) && field !== JOINED;
    if (texts.length > 0) filter[PARAMETERS[field]] = isRepeated ? texts : texts[0];
  }
  return filter;
}

/**
 * Parses a URL with the parameter names of the API. Ignores invalid values, so every URL is a valid
 * page. Values may be repeated or comma-separated; a minimum above the maximum is dropped.
 */
export function parseCatalogueQuery(search: URLSearchParams, textName: TextName): CatalogueQuery {
  const query = readFields((name) => search.getAll(name === PARAMETERS.text ? textName : name));
  const { minimum, maximum } = query;
  return minimum !== null && maximum !== null && minimum > maximum ? { ...query, minimum: null } : query;
}
