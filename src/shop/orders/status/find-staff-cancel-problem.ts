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
 * Why staff can't cancel an order as unpayable; null if they can. It was paid and the payment was
 * double-spent before shipping, or it was never paid and received only dust. Unconfirmed payments
 * block it; a confirmed part stays with the cancelled order.
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
  // A shipped unpaid order is closed as a loss instead.
  if (isClosable && order.paid_at === null && isOnlyDust(outputs, order.due_sats)) return isSent ? 'shipped' : null;
  if (!isUnpaid || order.paid_at === null) return 'not-taken-back';
  if (isSent) return 'shipped';
  return hasPendingOutput(outputs, tip, order.required_confirmations) ? 'payment-live' : null;
}

/** Why the order was cancelled, as the buyer reads it. */
export function describeCancelUnpayable(
  { due_sats: due, paid_at: paidAt }: Pick<OrderToFulfil, 'paid_at'> & Pick<UnpayableOrder, 'due_sats'>,
  { outputs }: Pick<OrderLedger, 'outputs'>,
): string {
  if (paidAt === null) return 'the received amount is too small to refund';
  return hasRefundable(outputs, due)
    ? 'part of its payment lost its confirmations and did not return'
    : 'its payment lost its confirmations and did not return';
}
