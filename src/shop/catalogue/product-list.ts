import type { ListedProduct } from './contract.ts';

/** A page of a list, in API form. */
export type ProductList =
  | {
      readonly ok: true;
      readonly products: readonly ListedProduct[];
      /** Products that match the filter, on all pages. */
      readonly total: number;
    }
  | { readonly ok: false; readonly reason: 'price-bounds-crossed' };
