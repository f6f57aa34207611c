import type { ShownPayment } from '../show-order.ts';

/** Why a late payment waits. */
export type LateBecause = 'rate' | 'no-rate' | 'sold-out' | 'promo';

const GONE: Readonly<Record<string, LateBecause>> = { late_sold_out: 'sold-out', late_promo_gone: 'promo' };

/**
 * Why a late payment that is confirmed was not accepted by itself; null where there is none, or it may still be.
 * @param turns of the order's timeline, oldest first.
 */
export function lateBecause(
  {
    confirmations,
    required_confirmations: required,
    state,
  }: Pick<ShownPayment, 'confirmations' | 'required_confirmations' | 'state'>,
  next: { readonly isRateInTheWay: boolean } | 'no-rate' | null,
  turns: readonly { readonly kind: string }[],
): LateBecause | null {
  if (next === null || state !== 'late' || confirmations < required) return null;
  if (next === 'no-rate') return next;
  if (next.isRateInTheWay) return 'rate';
  return GONE[turns.findLast(({ kind }) => kind in GONE)?.kind ?? ''] ?? null;
}
