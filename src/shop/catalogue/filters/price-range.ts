import { formatDollars } from '#src/shop/format-number.ts';

/** US dollars, both bounds included. */
export interface PriceRange {
  readonly minimum: number;
  readonly maximum: number;
}

/** Bounds without products. */
export const DEFAULT_BOUNDS: PriceRange = { minimum: 0, maximum: 9000 };
export const SLIDER_STEP = 10;

/** The nearest price within the bounds. */
export const clamp = (value: number, { minimum, maximum }: PriceRange): number =>
  Math.min(Math.max(value, minimum), maximum);

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

/** Null without a limit. */
export function formatPriceLabel({ minimum, maximum }: RequestedRange): string | null {
  if (minimum !== null && maximum !== null) return `${formatDollars(minimum)} to ${formatDollars(maximum)}`;
  if (minimum !== null) return `From ${formatDollars(minimum)}`;
  return maximum === null ? null : `Up to ${formatDollars(maximum)}`;
}
