import { parseAmount } from '#src/shop/parse-amount.ts';

/** US dollars, both bounds included. */
export interface PriceRange {
  readonly minimum: number;
  readonly maximum: number;
}

/** Bounds without products. */
export const DEFAULT_BOUNDS: PriceRange = { minimum: 0, maximum: 9000 };
export const SLIDER_STEP = 10;

const clamp = (value: number, { minimum, maximum }: PriceRange): number => Math.min(Math.max(value, minimum), maximum);

/** Whole-dollar bounds around the prices of the catalogue. */
export const computeBounds = (prices: PriceRange | null): PriceRange =>
  prices === null ? DEFAULT_BOUNDS : { minimum: Math.floor(prices.minimum), maximum: Math.ceil(prices.maximum) };

/** Displayed range: the requested one within the bounds. */
export function clampRange({ minimum, maximum }: RequestedRange, bounds: PriceRange): PriceRange {
  return {
    minimum: clamp(minimum ?? bounds.minimum, bounds),
    maximum: clamp(maximum ?? bounds.maximum, bounds),
  };
}

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

/** Ends of the slider: whole steps around the bounds. */
export const computeSliderEnds = ({ minimum, maximum }: PriceRange): PriceRange => ({
  minimum: Math.floor(minimum / SLIDER_STEP) * SLIDER_STEP,
  maximum: Math.ceil(maximum / SLIDER_STEP) * SLIDER_STEP,
});

/** Range of two thumbs: whole steps, and the exact bounds at the ends. */
export const toPriceRange = (thumbs: PriceRange, bounds: PriceRange): PriceRange => ({
  minimum: clamp(thumbs.minimum, bounds),
  maximum: clamp(thumbs.maximum, bounds),
});

/** Requested limits; null for none. */
interface RequestedRange {
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** Removes limits equal to the bounds: a form without JavaScript submits the displayed values. */
export const dropDefaultBounds = ({ minimum, maximum }: RequestedRange, bounds: PriceRange): RequestedRange => ({
  minimum: minimum === bounds.minimum ? null : minimum,
  maximum: maximum === bounds.maximum ? null : maximum,
});

/**
 * Requested range after the displayed range changed. An untouched limit stays even outside the
 * bounds, since other filters may extend them.
 */
export function updateRange(requested: RequestedRange, next: PriceRange, bounds: PriceRange): RequestedRange {
  const displayed = clampRange(requested, bounds);
  const limits = dropDefaultBounds(next, bounds);
  return {
    minimum: next.minimum === displayed.minimum ? requested.minimum : limits.minimum,
    maximum: next.maximum === displayed.maximum ? requested.maximum : limits.maximum,
  };
}
