import { frozenBy } from '../orders/frozen-by.ts';
import type { Frozen } from '../orders/frozen-by.ts';
import type { OrderBook } from '../orders/evaluate-order.ts';
import type { OrderToFulfil } from './refuse-fulfilment.ts';

export type GiveUpProblem = 'not-taken-back' | 'payment-live' | Frozen | 'shipped';

/**
 * Why staff can't give an order up; null when they can: it was paid, a reorganisation took that back for something else,
 * and nothing was sent. What is live may be its payment yet, or can be settled or sent back.
 */
export function refuseGivingUp(
  order: Omit<OrderToFulfil, 'tracking_reference'>,
  { outputs }: Pick<OrderBook, 'outputs'>,
): GiveUpProblem | null {
  const frozen = frozenBy(order.refund_state);
  if (frozen !== null) return frozen;
  const isUnpaid = order.payment_status === 'pending' || order.payment_status === 'user_paid';
  if (!isUnpaid || order.paid_at === null) return 'not-taken-back';
  if (order.fulfilment_status !== 'unfulfilled') return 'shipped';
  return outputs.some(({ isLive }) => isLive) ? 'payment-live' : null;
}
