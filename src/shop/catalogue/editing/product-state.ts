export const productStates = ['published', 'draft', 'withdrawn'] as const;
export type ProductState = (typeof productStates)[number];

export const productSorts = ['newest', 'position', 'name', 'price_asc', 'price_desc', 'best_sold'] as const;
export type ProductSort = (typeof productSorts)[number];

/** A draft was never on sale; a withdrawn product was. */
export function getProductState(isPublished: boolean, firstPublishedAt: Date | null): ProductState {
  if (isPublished) return 'published';
  return firstPublishedAt === null ? 'draft' : 'withdrawn';
}
