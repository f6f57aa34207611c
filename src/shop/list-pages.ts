/** Pages of the lists that staff see. */

const ROWS_PER_PAGE = 25;

/** The rows of a page, counted from 1, as a query takes them. */
export const toRowRange = (page: number): { readonly limit: number; readonly offset: number } => ({
  limit: ROWS_PER_PAGE,
  offset: (page - 1) * ROWS_PER_PAGE,
});

/** The items of a page, counted from 1. */
export function takePage<Item>(items: readonly Item[], page: number): readonly Item[] {
  const { limit, offset } = toRowRange(page);
  return items.slice(offset, offset + limit);
}

/** @param total rows of the list. An empty list has one page. */
export const countPages = (total: number): number => Math.max(1, Math.ceil(total / ROWS_PER_PAGE));
