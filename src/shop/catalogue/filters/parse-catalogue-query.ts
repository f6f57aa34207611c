/** Reads the URL of a filtered list. Only loaders call it, so none of this is in the browser's scripts. */
import { parseAmount } from '#src/shop/parse-amount.ts';
import { PAGE_SIZE } from './catalogue-query.ts';
import type { CatalogueQuery, TextName } from './catalogue-query.ts';
import type { ProductSort } from './sort-products.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_NAMES = 50;
const MAX_VALUES = 100;
const MAX_CENTS = 999_999_999n;
const SORTS: readonly ProductSort[] = ['price_asc', 'price_desc', 'newest', 'best_sold'];

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
