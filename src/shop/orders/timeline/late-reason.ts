import type { OrderEventKind, StoredEventKind } from '../kinds.ts';
import type { ShownPayment } from '../show-order.ts';

/** Why a late payment was not accepted automatically. */
export type LateReason = 'rate' | 'no-rate' | 'sold-out' | 'promo';

const UNAVAILABLE_REASONS = {
  late_sold_out: 'sold-out',
  late_promo_gone: 'promo',
} as const satisfies Partial<Record<OrderEventKind, LateReason>>;

const isUnavailable = (kind: StoredEventKind): kind is keyof typeof UNAVAILABLE_REASONS => kind in UNAVAILABLE_REASONS;

/**
 * Why a confirmed late payment was not accepted automatically; null without one, or while it may be.
 * @param events of the order's timeline, oldest first.
 */
export function findLateReason(
  {
    confirmations,
    required_confirmations: required,
    state,
  }: Pick<ShownPayment, 'confirmations' | 'required_confirmations' | 'state'>,
  next: { readonly isRateBlocking: boolean } | 'no-rate' | null,
  events: readonly { readonly kind: StoredEventKind }[],
): LateReason | null {
  if (next === null || state !== 'late' || confirmations < required) return null;
  if (next === 'no-rate') return next;
  if (next.isRateBlocking) return 'rate';
  const kind = events.map((event) => event.kind).findLast(isUnavailable);
  return kind === undefined ? null : UNAVAILABLE_REASONS[kind];
}
