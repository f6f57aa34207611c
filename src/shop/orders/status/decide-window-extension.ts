import { findLastUncertain } from '#src/shop/payments/ledger/find-uncertain-payment.ts';
import { isLatePaymentAcceptable } from './evaluate-order.ts';
import type { LateAcceptanceTerms } from './evaluate-order.ts';
import type { OrderLedger, StoredOrder } from '../stored-order.ts';

/**
 * Until when the window of an order is extended because a payment may have arrived in it while the shop could not look;
 * null when nothing is in doubt, or the present rate asks more than the tolerance. Undecided while there is no rate.
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
