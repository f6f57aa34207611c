import { findLastUncertain } from '#src/shop/payments/ledger/find-uncertain-payment.ts';
import { isLatePaymentAcceptable } from './evaluate-order.ts';
import type { LateAcceptanceTerms } from './evaluate-order.ts';
import type { OrderLedger, StoredOrder } from '../stored-order.ts';

/**
 * End of an extended window, for a payment that may have arrived in it during downtime. Null if
 * the arrival is certain, or the rate is beyond the tolerance. 'undecided' without a rate.
 */
export function decideWindowExtension(
  order: StoredOrder,
  { outputs }: OrderLedger,
  terms: LateAcceptanceTerms,
): Date | 'undecided' | null {
  const isOpen = order.is_open && order.paid_at === null;
  const until = isOpen ? findLastUncertain(outputs, order.expires_at) : null;
  if (until === null) return null;
  if (terms.presentRate === null) return 'undecided';
  return isLatePaymentAcceptable(order, terms) ? until : null;
}
