/** Linked pages on each side of the current one. */
const NEIGHBOUR_COUNT = 1;

/** Page numbers to link, ascending: first, last, current and its neighbours. */
export function listPageNumbers(current: number, last: number): readonly number[] {
  const near = Array.from({ length: 2 * NEIGHBOUR_COUNT + 1 }, (_, step) => current - NEIGHBOUR_COUNT + step);
  const pages = new Set([1, ...near, last]);
  return [...pages].filter((page) => page >= 1 && page <= last).toSorted((a, b) => a - b);
}
