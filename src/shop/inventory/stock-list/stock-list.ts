/** Which variants the list shows. 'low' includes what is sold out, and 'sold_out' what is short. */
export const stockFilters = ['all', 'low', 'sold_out', 'short', 'untracked'] as const;
export type StockFilter = (typeof stockFilters)[number];

/** By name, by SKU, or by available units: only tracked variants have them. */
export const stockSorts = ['name', 'sku', 'least_available', 'most_available'] as const;
export type StockSort = (typeof stockSorts)[number];

/** Maximum of listed variants. More would be slow to count, and nobody reads them. */
export const MAX_LISTED = 1_000;
/** Variants that one request counts, and those whose threshold it sets. */
export const MAX_COUNTS = 100;
export const MAX_THRESHOLD = 100_000;

export interface StockBadge {
  readonly text: string;
  readonly tone: 'neutral' | 'waiting' | 'bad';
}

/** State of a variant beside its name; null if there is enough. */
export function describeStockState(
  { available, threshold }: { readonly available: number | null; readonly threshold: number | null },
  shopThreshold: number,
): StockBadge | null {
  if (available === null) return { text: 'Not tracked', tone: 'neutral' };
  if (available < 0) return { text: `${-available} short`, tone: 'bad' };
  if (available === 0) return { text: 'Sold out', tone: 'bad' };
  return available <= (threshold ?? shopThreshold) ? { text: 'Low', tone: 'waiting' } : null;
}

const MESSAGES = {
  'not-tracked': 'The stock of this variant is not tracked. Set what is on hand first',
  'too-many': 'At most 1,000,000 units can be available',
} as const;

interface PresentLevels {
  readonly available: number | null;
  readonly reserved: number;
  readonly committed: number;
}

/** Why a change of stock is refused, with the present numbers. */
export function describeStockProblem(
  reason: 'outdated' | 'not-tracked' | 'below-zero' | 'too-many',
  { available, reserved, committed }: PresentLevels,
): string {
  if (reason === 'not-tracked' || reason === 'too-many') return MESSAGES[reason];
  if (available === null) return 'The stock of this variant is no longer tracked. Check the numbers and save again';
  const onHand = available + reserved + committed;
  if (reason === 'below-zero') return `Only ${onHand} on hand. Remove fewer units`;
  return `The stock has changed: now ${onHand} on hand, ${available} available. Check your number and save again`;
}

/** Why a threshold is refused, with the present one; null: that of the shop. */
export const describeThreshold = (present: number | null): string =>
  `The threshold has changed: now ${present ?? 'that of the shop'}. Check your number and save again`;
