import type { ProductSort } from './sort-products.ts';

/** How many products a page of a category holds. */
export const PAGE_SIZE = 24;
const MAX_TEXT_LENGTH = 200;
const MAX_NAMES = 50;
const MAX_VALUES = 100;
const SORTS: readonly ProductSort[] = ['price_asc', 'price_desc', 'newest', 'best_sold'];

/** What a page's address says about the products to show; nothing of it is sure to exist. */
export interface CatalogueQuery {
  /** Trimmed; empty for any name. */
  readonly text: string;
  /** Slugs or ids. */
  readonly categories: readonly string[];
  readonly brands: readonly string[];
  /** In US dollars with at most two decimals; the minimum is never above the maximum. */
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** Ids of property values. */
  readonly values: readonly string[];
  readonly sort: ProductSort | null;
  /** A multiple of the length of a page. */
  readonly offset: number;
}

/** The name that the text has in the address: the search has its own. */
type TextName = 'q' | 'query';

const SLUG_OR_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const distinct = (texts: readonly string[], pattern: RegExp, most: number): readonly string[] =>
  [...new Set(texts)].filter((one) => one.length <= 120 && pattern.test(one)).slice(0, most);

/** Text as it can be searched for: trimmed, bounded, without what the shop refuses. */
const cleanText = (text: string): string =>
  text.replaceAll('\u0000', '').trim().slice(0, MAX_TEXT_LENGTH).toWellFormed().trim();

function parseDollars(written: string | null): number | null {
  const trimmed = written?.trim() ?? '';
  return /^\d{1,7}(?:\.\d{1,2})?$/.test(trimmed) ? Number(trimmed) : null;
}

function parseOffset(written: string | null): number {
  if (!/^\d{1,9}$/.test(written ?? '')) return 0;
  return Number(written) - (Number(written) % PAGE_SIZE);
}

/**
 * Reads an address: the names are the API's. What makes no sense is left out, so every address is a page. Values may
 * be repeated or joined by commas; a minimum above the maximum is dropped.
 */
export function parseCatalogueQuery(search: URLSearchParams, textName: TextName): CatalogueQuery {
  const [minimum, maximum] = [parseDollars(search.get('price_min')), parseDollars(search.get('price_max'))];
  const values = search.getAll('values').flatMap((joined) => joined.split(','));
  return {
    text: cleanText(search.get(textName) ?? ''),
    categories: distinct(search.getAll('category'), SLUG_OR_ID, MAX_NAMES),
    brands: distinct(search.getAll('brand'), SLUG_OR_ID, MAX_NAMES),
    minimum: minimum !== null && maximum !== null && minimum > maximum ? null : minimum,
    maximum,
    values: distinct(values, ID, MAX_VALUES),
    sort: SORTS.find((sort) => sort === search.get('sort')) ?? null,
    offset: parseOffset(search.get('offset')),
  };
}

/** The address's query, from its question mark on; empty when it says nothing. */
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
  // A comma needs no escape here, and without it the ids can be read.
  return search.size > 0 ? `?${search.toString().replaceAll('%2C', ',')}` : '';
}

/** The same question as the API takes it, without order and page. */
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

/** Whether anything is filtered, beside the text. */
export const hasFilter = ({ categories, brands, minimum, maximum, values }: CatalogueQuery): boolean =>
  categories.length > 0 || brands.length > 0 || values.length > 0 || minimum !== null || maximum !== null;

/** The question without its filters; text and order stay. */
export const clearFilters = (query: CatalogueQuery): CatalogueQuery => ({
  ...query,
  categories: [],
  brands: [],
  minimum: null,
  maximum: null,
  values: [],
  offset: 0,
});
