import type { OrderBook } from '../orders/evaluate-order.ts';
import { isUnderWay } from '../payments/lost-payments.ts';
import type { OrderToFulfil } from './refuse-fulfilment.ts';

export type GiveUpProblem = 'not-taken-back' | 'payment-live' | 'refunding' | 'shipped';

/**
 * Why staff can't give an order up; null when they can: it was paid, a reorganisation took that back for something else,
 * and nothing was sent. What has not the confirmations required may be its payment yet. A part that has them stays with
 * the cancelled order, to be accepted or sent back.
 */
export function refuseGivingUp(
  order: Omit<OrderToFulfil, 'tracking_reference'> & { readonly required_confirmations: number },
  { outputs, tip }: Pick<OrderBook, 'outputs' | 'tip'>,
): GiveUpProblem | null {
  if (order.refund_state !== null) return 'refunding';
  const isUnpaid = order.payment_status === 'pending' || order.payment_status === 'user_paid';
  if (!isUnpaid || order.paid_at === null) return 'not-taken-back';
  if (order.fulfilment_status !== 'unfulfilled') return 'shipped';
  return isUnderWay(outputs, tip, order.required_confirmations) ? 'payment-live' : null;
}

/** Why it was given up, as its buyer reads it. */
export const wordsOfGivingUp = ({ outputs }: Pick<OrderBook, 'outputs'>): string =>
  outputs.some(({ isLive }) => isLive)
    ? 'the network took a part of its payment back, and it has not come again'
    : 'the network took its payment back, and it has not come again';
