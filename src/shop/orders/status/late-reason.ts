import type { OrderEventKind, StoredEventKind } from '../order-events.ts';
import type { ShownPayment } from '../show-order.ts';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';

/** Why a late payment was not accepted automatically. */
export const lateReasons = ['rate', 'too-late', 'unavailable', 'no-rate', 'sold-out', 'promo'] as const;
/**
 * - too-late: the order expired too long ago.
 * - unavailable: the rate blocks it or it is too late, and its items can't be ordered any more.
 */
export type LateReason = (typeof lateReasons)[number];

/** What a requote would meet now. */
interface RequotePreview {
  /** Null while there is none. */
  readonly rate: bigint | null;
  readonly isRateBlocking: boolean;
  readonly isTooLate: boolean;
  readonly refusal: string | null;
}

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
  next: RequotePreview | null,
  events: readonly { readonly kind: StoredEventKind }[],
): LateReason | null {
  if (next === null || !isLateState(state) || confirmations < required) return null;
  if (next.rate === null) return 'no-rate';
  if (next.isRateBlocking || next.isTooLate) {
    if (next.refusal !== null) return 'unavailable';
    return next.isTooLate ? 'too-late' : 'rate';
  }
  const kind = events.map((event) => event.kind).findLast(isUnavailable);
  return kind === undefined ? null : UNAVAILABLE_REASONS[kind];
}
