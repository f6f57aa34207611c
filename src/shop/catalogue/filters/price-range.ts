/** Prices in US dollars, both included. */
export interface PriceRange {
  readonly minimum: number;
  readonly maximum: number;
}

/** The bounds where there is no product to take them from. */
export const DEFAULT_BOUNDS: PriceRange = { minimum: 0, maximum: 9000 };
export const SLIDER_STEP = 10;

const clamp = (value: number, { minimum, maximum }: PriceRange): number => Math.min(Math.max(value, minimum), maximum);

/** Bounds in whole dollars around the prices of the catalogue. */
export const computeBounds = (prices: PriceRange | null): PriceRange =>
  prices === null ? DEFAULT_BOUNDS : { minimum: Math.floor(prices.minimum), maximum: Math.ceil(prices.maximum) };

/** What the filter shows: what is asked for, within the bounds. */
export function clampRange({ minimum, maximum }: RequestedRange, bounds: PriceRange): PriceRange {
  return {
    minimum: clamp(minimum ?? bounds.minimum, bounds),
    maximum: clamp(maximum ?? bounds.maximum, bounds),
  };
}

/** Empty, negative and what is no number count as 0; more than two decimals are rounded away. */
function parsePrice(written: string): number {
  const value = Number(written.trim().replace(',', '.'));
  return Number.isFinite(value) && value > 0 ? Math.round(value * 100) / 100 : 0;
}

/** The minimum when its field is left: above the current maximum it goes back to the lowest bound. */
export function parseMinimum(written: string, { maximum }: PriceRange, bounds: PriceRange): number {
  const value = parsePrice(written);
  return value > maximum ? bounds.minimum : clamp(value, bounds);
}

/** The maximum when its field is left: below the current minimum it goes back to the highest bound. */
export function parseMaximum(written: string, { minimum }: PriceRange, bounds: PriceRange): number {
  const value = parsePrice(written);
  return value < minimum ? bounds.maximum : clamp(value, bounds);
}

/** The ends of the slider: whole steps around the bounds. */
export const computeSliderEnds = ({ minimum, maximum }: PriceRange): PriceRange => ({
  minimum: Math.floor(minimum / SLIDER_STEP) * SLIDER_STEP,
  maximum: Math.ceil(maximum / SLIDER_STEP) * SLIDER_STEP,
});

/** What a position of the two thumbs means: whole steps, and at its ends the bounds themselves. */
export const toPriceRange = (thumbs: PriceRange, bounds: PriceRange): PriceRange => ({
  minimum: clamp(thumbs.minimum, bounds),
  maximum: clamp(thumbs.maximum, bounds),
});

/** Limits as they are asked for; null for none. */
interface RequestedRange {
  readonly minimum: number | null;
  readonly maximum: number | null;
}

/** A bound of the catalogue is no limit: a form without a script asks for those that it shows. */
export const dropDefaultBounds = ({ minimum, maximum }: RequestedRange, bounds: PriceRange): RequestedRange => ({
  minimum: minimum === bounds.minimum ? null : minimum,
  maximum: maximum === bounds.maximum ? null : maximum,
});

/**
 * What is asked for after the shown range was changed. A limit that was not touched stays as it was asked for, also
 * where it lies beyond the bounds: with other values ticked the prices may reach it.
 */
export function updateRange(asked: RequestedRange, next: PriceRange, bounds: PriceRange): RequestedRange {
  const shown = clampRange(asked, bounds);
  const limits = dropDefaultBounds(next, bounds);
  return {
    minimum: next.minimum === shown.minimum ? asked.minimum : limits.minimum,
    maximum: next.maximum === shown.maximum ? asked.maximum : limits.maximum,
  };
}
