/** The price fields of a filter. Loaded with the first focus of one of them. */
import { parseAmount } from '#src/shop/parse-amount.ts';
import { clamp } from './price-range.ts';
import type { PriceRange } from './price-range.ts';

/** A typed price, or what is wrong with it. */
export type TypedPrice =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly problem: string };

/** Reads a price with at most two decimals. Empty and negative text is 0. */
function readPrice(written: string): TypedPrice {
  if (written.trim() === '') return { ok: true, value: 0 };
  const parsed = parseAmount(written, { decimals: 2, isSigned: true, unit: '$' });
  if (!parsed.ok) return { ok: false, problem: parsed.advice ?? 'Enter a price such as 1299.50' };
  return { ok: true, value: parsed.units > 0n ? Number(parsed.units) / 100 : 0 };
}

/** Minimum after blur: the lowest bound if it exceeds the current maximum. */
export function parseMinimum(written: string, { maximum }: PriceRange, bounds: PriceRange): TypedPrice {
  const price = readPrice(written);
  if (!price.ok) return price;
  return { ok: true, value: price.value > maximum ? bounds.minimum : clamp(price.value, bounds) };
}

/** Maximum after blur: the highest bound if it is below the current minimum. */
export function parseMaximum(written: string, { minimum }: PriceRange, bounds: PriceRange): TypedPrice {
  const price = readPrice(written);
  if (!price.ok) return price;
  return { ok: true, value: price.value < minimum ? bounds.maximum : clamp(price.value, bounds) };
}
