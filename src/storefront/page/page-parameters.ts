import { FILTER_PARAMETERS } from '#src/shop/catalogue/filters/catalogue-query.ts';
import { VARIANT_PARAMETER } from '#src/shop/catalogue/products/variant-path.ts';

const SEARCH = ['query', ...FILTER_PARAMETERS];
const COMPARED = ['products'];
const PRODUCT = [VARIANT_PARAMETER];
const NONE: readonly string[] = [];

/**
 * The query parameters that change the public page at this path. The page is rendered and cached without all others,
 * such as campaign tags. Null for an unknown path, which is cached only without a query.
 */
export function getPageParameters(path: string): readonly string[] | null {
  if (path === '/') return NONE;
  if (path.startsWith('/catalog/product/')) return PRODUCT;
  if (path === '/catalog' || path.startsWith('/catalog/category/')) return FILTER_PARAMETERS;
  if (path === '/compare') return COMPARED;
  return path === '/search-results' ? SEARCH : null;
}
