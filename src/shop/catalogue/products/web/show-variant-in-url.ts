import { VARIANT_PARAMETER } from '../variant-path.ts';

/**
 * Puts the chosen variant into the address of the product page, so that it can be shared and is found again after a
 * reload and by the back button. Replaces the entry of the history: back leaves the page, after any number of choices.
 * Loads nothing. Without a SKU, the combination is not sold and the address stays.
 */
export function showVariantInUrl(sku: string | undefined): void {
  if (sku === undefined) return;
  const url = new URL(location.href);
  if (url.searchParams.get(VARIANT_PARAMETER) === sku) return;
  url.searchParams.set(VARIANT_PARAMETER, sku);
  history.replaceState(history.state, '', url);
}
