import type { ProductState } from '#src/shop/catalogue/editing/product-state.ts';

export const STATE_NAMES: Readonly<Record<ProductState | 'changed' | 'reduced', string>> = {
  published: 'Active',
  draft: 'Draft',
  withdrawn: 'Withdrawn',
  changed: 'Unpublished changes',
  reduced: 'With a sale price now',
};

export const SORT_NAMES = {
  newest: 'Newest',
  position: 'Position',
  name: 'Name',
  price_asc: 'Lowest price',
  price_desc: 'Highest price',
  best_sold: 'Best sold',
} as const;
