/** Those of src/shop/catalogue/filters/catalogue-query.ts. */
const FILTERS = ['q', 'category', 'brand', 'price_min', 'price_max', 'values', 'sort', 'offset'];
const SEARCH = ['query', ...FILTERS];
const COMPARED = ['products'];
const NONE: readonly string[] = [];

/**
 * The parameters that make another page of the public page at this path. All others, such as where a visitor came from,
 * change nothing: the page is rendered and kept without them. Null where nothing is known: such a page is kept without
 * a query only.
 */
export function getPageParameters(path: string): readonly string[] | null {
  if (path === '/' || path.startsWith('/catalog/product/')) return NONE;
  if (path === '/catalog' || path.startsWith('/catalog/category/')) return FILTERS;
  if (path === '/compare') return COMPARED;
  return path === '/search-results' ? SEARCH : null;
}
