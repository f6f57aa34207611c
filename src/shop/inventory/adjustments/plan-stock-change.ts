/** Why staff change stock. */
export const stockReasons = ['received', 'damaged', 'counted', 'returned', 'correction'] as const;
export type StockReason = (typeof stockReasons)[number];

/** Maximum of units in a field, and of a variant. */
export const MAX_UNITS = 1_000_000;
export const MAX_NOTE = 200;

/** The stock of a variant at one moment. */
export interface StockLevels {
  /** Units that can be ordered now; negative if orders promise more than there is. Null: not tracked. */
  readonly available: number | null;
  /** Units reserved by unpaid orders. */
  readonly reserved: number;
  /** Units of paid orders that were not shipped yet. */
  readonly committed: number;
}

/** Units on the shelf; null if the stock is not tracked. */
export const computeOnHand = ({ available, reserved, committed }: StockLevels): number | null =>
  available === null ? null : available + reserved + committed;

export type StockChange =
  | {
      readonly kind: 'set';
      /** What `quantity` counts. */
      readonly of: 'on_hand' | 'available';
      readonly quantity: number;
      /** The former quantity that the change is based on; null: not tracked. Undefined: any. */
      readonly seen: number | null | undefined;
    }
  /** Adds units, or removes them. */
  | { readonly kind: 'adjust'; readonly by: number }
  | { readonly kind: 'stop-tracking' };

export type StockChangeProblem = 'outdated' | 'not-tracked' | 'below-zero' | 'too-many';

export type StockPlan =
  /** `available` after the change; null: not tracked any more. */
  | { readonly ok: true; readonly available: number | null }
  | { readonly ok: false; readonly reason: StockChangeProblem };

/**
 * What is available after a restatement, which was based on `before`: units that were sold or added meanwhile stay
 * so, but never less than none remains. Null: not tracked.
 */
export function planRestatement(
  present: number | null,
  { before, after }: { readonly before: number | null; readonly after: number | null },
): number | null {
  if (after === null || before === null) return after;
  // Somebody stopped the tracking meanwhile.
  if (present === null) return null;
  return Math.min(MAX_UNITS, Math.max(Math.min(0, present), present + after - before));
}

/** Decides on the stock after a change. Reserved and committed units stay as they are. */
export function planStockChange(levels: StockLevels, change: StockChange): StockPlan {
  const onHand = computeOnHand(levels);
  const promised = levels.reserved + levels.committed;
  if (change.kind === 'stop-tracking') {
    return onHand === null ? { ok: false, reason: 'not-tracked' } : { ok: true, available: null };
  }
  if (change.kind === 'adjust') {
    if (onHand === null || levels.available === null) return { ok: false, reason: 'not-tracked' };
    // The shelf never holds less than nothing. A wrong count that says so can still be mended upwards.
    if (change.by < 0 && onHand + change.by < 0) return { ok: false, reason: 'below-zero' };
    const available = levels.available + change.by;
    return available > MAX_UNITS ? { ok: false, reason: 'too-many' } : { ok: true, available };
  }
  const { of, quantity, seen } = change;
  const present = of === 'on_hand' ? onHand : levels.available;
  if (seen !== undefined && seen !== present) return { ok: false, reason: 'outdated' };
  return { ok: true, available: of === 'on_hand' ? quantity - promised : quantity };
}
