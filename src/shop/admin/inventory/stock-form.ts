/** The form that changes the stock of a variant: its choices, its checks and its preview. */
import { MAX_UNITS } from '#src/shop/inventory/adjustments/plan-stock-change.ts';
import type { StockReason } from '#src/shop/inventory/adjustments/plan-stock-change.ts';

export type StockAction = 'add' | 'remove' | 'on_hand' | 'available' | 'stop-tracking';

interface ShownLevels {
  readonly available: number | null;
  readonly on_hand: number | null;
}

export const ACTIONS: Readonly<Record<StockAction, { readonly label: string; readonly field: string | null }>> = {
  add: { label: 'Add units', field: 'Units to add' },
  remove: { label: 'Remove units', field: 'Units to remove' },
  on_hand: { label: 'Set units on hand', field: 'Units on hand' },
  available: { label: 'Set available units', field: 'Available units' },
  'stop-tracking': { label: 'Stop tracking stock', field: null },
};

export const REASONS: Readonly<Record<StockReason, string>> = {
  received: 'Received',
  returned: 'Returned by a customer',
  counted: 'Counted',
  damaged: 'Damaged or lost',
  correction: 'Correction',
};

/** The first one is the default. */
export const listActions = ({ available }: Pick<ShownLevels, 'available'>): readonly StockAction[] =>
  available === null ? ['on_hand', 'available'] : ['add', 'remove', 'on_hand', 'available', 'stop-tracking'];

/** The first one is the default. */
export function listReasons(action: StockAction): readonly StockReason[] {
  if (action === 'add') return ['received', 'returned', 'correction'];
  if (action === 'remove') return ['damaged', 'correction'];
  return ['counted', 'correction', 'received', 'returned', 'damaged'];
}

export type ReadUnits =
  | { readonly ok: true; readonly units: number }
  | { readonly ok: false; readonly message: string };

/** Reads a number of units: whole, and at least 1 for an addition or removal. */
export function readUnits(text: string, action: StockAction): ReadUnits {
  const least = action === 'add' || action === 'remove' ? 1 : 0;
  const units = Number(text);
  if (/^\d{1,7}$/.test(text) && units >= least && units <= MAX_UNITS) return { ok: true, units };
  return { ok: false, message: `Enter a whole number from ${least} to 1,000,000` };
}

/** The levels after the change, as far as this page knows the present ones; null without a valid number. */
export function previewLevels(levels: ShownLevels, action: StockAction, text: string): ShownLevels | null {
  const read = readUnits(text, action);
  if (!read.ok || action === 'stop-tracking' || levels.available === null || levels.on_hand === null) return null;
  const changes: Readonly<Record<typeof action, number>> = {
    add: read.units,
    remove: -read.units,
    on_hand: read.units - levels.on_hand,
    available: read.units - levels.available,
  };
  const by = changes[action];
  return { available: levels.available + by, on_hand: levels.on_hand + by };
}

/** Shows a change of a number in the history, such as '12 to 10'; null if it is not known. */
export function formatStep(before: number | null, after: number | null): string | null {
  if (before === null && after === null) return null;
  return `${before ?? 'not tracked'} to ${after ?? 'not tracked'}`;
}
