import { frozenBy } from '../orders/frozen-by.ts';
import type { Frozen } from '../orders/frozen-by.ts';
import type { OrderBook } from '../orders/evaluate-order.ts';
import { hasRefundable, isOnlyDust } from '../payments/dust.ts';
import type { Sats } from '../money.ts';
import type { OrderToFulfil } from './refuse-fulfilment.ts';

export type GiveUpProblem = 'not-taken-back' | 'payment-live' | Frozen | 'shipped';

/**
 * Why staff can't give an order up; null when they can: it was paid, a reorganisation took that back for something else,
 * and nothing was sent; or it was never paid and received only dust. What else is live may be its payment yet, or can be
 * settled or sent back.
 */
export function refuseGivingUp(
  order: Omit<OrderToFulfil, 'tracking_reference'> & { readonly due_sats: Sats },
  { outputs }: Pick<OrderBook, 'outputs'>,
): GiveUpProblem | null {
  const frozen = frozenBy(order.refund_state);
  if (frozen !== null) return frozen;
  const isUnpaid = order.payment_status === 'pending' || order.payment_status === 'user_paid';
  const isClosable = isUnpaid || order.payment_status === 'expired';
  if (isClosable && order.paid_at === null && isOnlyDust(outputs, order.due_sats)) return null;
  if (!isUnpaid || order.paid_at === null) return 'not-taken-back';
  if (order.fulfilment_status !== 'unfulfilled') return 'shipped';
  return hasRefundable(outputs, order.due_sats) ? 'payment-live' : null;
}
