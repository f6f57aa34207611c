import type { ShownPayment } from '../show-order.ts';

/** Why a late payment waits. */
export type LateReason = 'rate' | 'no-rate' | 'sold-out' | 'promo';

const UNAVAILABLE_REASONS: Readonly<Record<string, LateReason>> = {
  late_sold_out: 'sold-out',
  late_promo_gone: 'promo',
};

/**
 * Why a late payment that is confirmed was not accepted by itself; null where there is none, or it may still be.
 * @param turns of the order's timeline, oldest first.
 */
export function findLateReason(
  {
    confirmations,
    required_confirmations: required,
    state,
  }: Pick<ShownPayment, 'confirmations' | 'required_confirmations' | 'state'>,
  next: { readonly isRateBlocking: boolean } | 'no-rate' | null,
  turns: readonly { readonly kind: string }[],
): LateReason | null {
  if (next === null || state !== 'late' || confirmations < required) return null;
  if (next === 'no-rate') return next;
  if (next.isRateBlocking) return 'rate';
  return UNAVAILABLE_REASONS[turns.findLast(({ kind }) => kind in UNAVAILABLE_REASONS)?.kind ?? ''] ?? null;
}
