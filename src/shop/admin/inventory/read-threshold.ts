import { MAX_THRESHOLD } from '#src/shop/inventory/stock-list/stock-list.ts';

/** Reads a low-stock threshold. */
export function readThreshold(
  text: string,
): { readonly ok: true; readonly threshold: number } | { readonly ok: false; readonly message: string } {
  const threshold = Number(text);
  if (/^\d{1,6}$/.test(text) && threshold <= MAX_THRESHOLD) return { ok: true, threshold };
  return { ok: false, message: 'Enter a whole number from 0 to 100,000' };
}
