import type { ProductSort } from './sort-products.ts';

/** Products per page of a category. */
export const PAGE_SIZE = 24;

/** URL parameters of a filtered list; the search page has `query` in addition. */
export const FILTER_PARAMETERS: readonly string[] = [
  'q',
  'category',
  'brand',
  'price_min',
  'price_max',
  'values',
  'sort',
  'offset',
];

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

/** URL parameter of the text; the search page has its own. */
export type TextName = 'q' | 'query';

/** Formats the query part of the URL with its question mark; empty for the default view. */
export function formatCatalogueQuery(query: CatalogueQuery, textName: TextName): string {
  const search = new URLSearchParams();
  if (query.text !== '') search.set(textName, query.text);
  for (const category of query.categories) search.append('category', category);
  for (const brand of query.brands) search.append('brand', brand);
  if (query.minimum !== null) search.set('price_min', String(query.minimum));
  if (query.maximum !== null) search.set('price_max', String(query.maximum));
  if (query.values.length > 0) search.set('values', query.values.join());
  if (query.sort !== null) search.set('sort', query.sort);
  if (query.offset > 0) search.set('offset', String(query.offset));
  // Commas need no escape here and keep the ids readable.
  return search.size > 0 ? `?${search.toString().replaceAll('%2C', ',')}` : '';
}

/** API filter of the query, without sort and page. */
export function toApiFilter({ text, categories, brands, minimum, maximum, values }: CatalogueQuery) {
  return {
    ...(text === '' ? {} : { q: text }),
    ...(categories.length === 0 ? {} : { category: [...categories] }),
    ...(brands.length === 0 ? {} : { brand: [...brands] }),
    ...(minimum === null ? {} : { price_min: String(minimum) }),
    ...(maximum === null ? {} : { price_max: String(maximum) }),
    ...(values.length === 0 ? {} : { values: values.join() }),
  };
}

/** Whether any filter besides the text is set. */
export const hasFilter = ({ categories, brands, minimum, maximum, values }: CatalogueQuery): boolean =>
  categories.length > 0 || brands.length > 0 || values.length > 0 || minimum !== null || maximum !== null;

/** Query without filters; text and sort stay. */
export const clearFilters = (query: CatalogueQuery): CatalogueQuery => ({
  ...query,
  categories: [],
  brands: [],
  minimum: null,
  maximum: null,
  values: [],
  offset: 0,
});
