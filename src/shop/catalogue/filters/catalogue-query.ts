import { parseAmount } from '#src/shop/parse-amount.ts';
import type { ProductSort } from './sort-products.ts';

/** Products per page of a category. */
export const PAGE_SIZE = 24;
const MAX_TEXT_LENGTH = 200;
const MAX_NAMES = 50;
const MAX_VALUES = 100;
const MAX_CENTS = 999_999_999n;
const SORTS: readonly ProductSort[] = ['price_asc', 'price_desc', 'newest', 'best_sold'];

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
type TextName = 'q' | 'query';

const SLUG_OR_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const listDistinct = (texts: readonly string[], pattern: RegExp, most: number): readonly string[] =>
  [...new Set(texts)].filter((item) => item.length <= 120 && pattern.test(item)).slice(0, most);

/** Searchable text: trimmed, bounded, without characters that the API refuses. */
const cleanText = (text: string): string =>
  text.replaceAll('\u0000', '').trim().slice(0, MAX_TEXT_LENGTH).toWellFormed().trim();

/** Also as typed in the form without scripts. */
function parseDollars(written: string | null): number | null {
  const parsed = parseAmount(written ?? '', { decimals: 2, unit: '$' });
  return parsed.ok && parsed.units <= MAX_CENTS ? Number(parsed.units) / 100 : null;
}

function parseOffset(written: string | null): number {
  if (!/^\d{1,9}$/.test(written ?? '')) return 0;
  return Number(written) - (Number(written) % PAGE_SIZE);
}

/**
 * Parses a URL with the parameter names of the API. Ignores invalid values, so every URL is a valid
 * page. Values may be repeated or comma-separated; a minimum above the maximum is dropped.
 */
export function parseCatalogueQuery(search: URLSearchParams, textName: TextName): CatalogueQuery {
  const [minimum, maximum] = [parseDollars(search.get('price_min')), parseDollars(search.get('price_max'))];
  const values = search.getAll('values').flatMap((joined) => joined.split(','));
  return {
    text: cleanText(search.get(textName) ?? ''),
    categories: listDistinct(search.getAll('category'), SLUG_OR_ID, MAX_NAMES),
    brands: listDistinct(search.getAll('brand'), SLUG_OR_ID, MAX_NAMES),
    minimum: minimum !== null && maximum !== null && minimum > maximum ? null : minimum,
    maximum,
    values: listDistinct(values, ID, MAX_VALUES),
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? null,
    offset: parseOffset(search.get('offset')),
  };
}

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
