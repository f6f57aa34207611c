import { findRefundBlock } from './find-refund-block.ts';
import type { RefundBlock } from './find-refund-block.ts';
import type { OrderLedger } from '../stored-order.ts';
import { hasRefundable, isOnlyDust } from '#src/shop/payments/ledger/dust.ts';
import { hasPendingOutput } from '#src/shop/payments/ledger/double-spent-payments.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderToFulfil } from '../fulfilment/find-fulfilment-problem.ts';

export type CancelUnpayableProblem = 'not-taken-back' | 'payment-live' | RefundBlock | 'shipped';

interface UnpayableOrder {
  readonly due_sats: Sats;
  readonly required_confirmations: number;
}

/**
 * Why staff can't give an order up; null when they can: it was paid, a reorganisation took that back for something else,
 * and nothing was sent; or it was never paid and received only dust. What has not the confirmations required may be its
 * payment yet. A part that has them stays with the cancelled order, to be accepted or sent back.
 */
export function findCancelUnpayableProblem(
  order: Omit<OrderToFulfil, 'tracking_reference'> & UnpayableOrder,
  { outputs, tip }: Pick<OrderLedger, 'outputs' | 'tip'>,
): CancelUnpayableProblem | null {
  const frozen = findRefundBlock(order.refund_state);
  if (frozen !== null) return frozen;
  const isSent = order.fulfilment_status !== 'unfulfilled';
  const isUnpaid = order.payment_status === 'pending' || order.payment_status === 'user_paid';
  const isClosable = isUnpaid || order.payment_status === 'expired';
  // What was sent and is not paid is closed as a loss.
  if (isClosable && order.paid_at === null && isOnlyDust(outputs, order.due_sats)) return isSent ? 'shipped' : null;
  if (!isUnpaid || order.paid_at === null) return 'not-taken-back';
  if (isSent) return 'shipped';
  return hasPendingOutput(outputs, tip, order.required_confirmations) ? 'payment-live' : null;
}

/** Why it was given up, as its buyer reads it. */
export function describeCancelUnpayable(
  { due_sats: due, paid_at: paidAt }: Pick<OrderToFulfil, 'paid_at'> & Pick<UnpayableOrder, 'due_sats'>,
  { outputs }: Pick<OrderLedger, 'outputs'>,
): string {
  if (paidAt === null) return 'what it received is too little to be sent back';
  return hasRefundable(outputs, due)
    ? 'the network took a part of its payment back, and it has not come again'
    : 'the network took its payment back, and it has not come again';
}
