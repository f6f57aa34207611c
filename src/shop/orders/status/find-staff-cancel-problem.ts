import { findRefundBlock } from './find-refund-block.ts';
import type { RefundBlock } from './find-refund-block.ts';
import type { OrderLedger } from '../stored-order.ts';
import { hasRefundable, isOnlyDust } from '#src/shop/payments/ledger/dust.ts';
import { hasPendingOutput } from '#src/shop/payments/ledger/double-spent-payments.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderToFulfil } from '../fulfilment/find-fulfilment-problem.ts';

export type StaffCancelProblem = 'not-taken-back' | 'payment-live' | RefundBlock | 'shipped';

interface UnpayableOrder {
  readonly due_sats: Sats;
  readonly required_confirmations: number;
}

/** Whether nothing was ever due for a paid order. */
const isFreeOrder = ({
  due_sats: due,
  payment_status: status,
}: UnpayableOrder & Pick<OrderToFulfil, 'payment_status'>) => due === 0n && status === 'paid';

/**
 * Why staff can't cancel an order for good; null if they can. It expired, is free, was paid and the payment
 * was double-spent, or received only dust; nothing of it was shipped. Unconfirmed payments block it;
 * a confirmed amount stays with the cancelled order.
 */
export function findStaffCancelProblem(
  order: Omit<OrderToFulfil, 'tracking_reference'> & UnpayableOrder,
  { outputs, tip }: Pick<OrderLedger, 'outputs' | 'tip'>,
): StaffCancelProblem | null {
  const frozen = findRefundBlock(order.refund_state);
  if (frozen !== null) return frozen;
  const isSent = order.fulfilment_status !== 'unfulfilled';
  const isUnpaid = order.payment_status === 'pending' || order.payment_status === 'user_paid';
  // A shipped unpaid order is closed as a loss instead.
  if (isUnpaid && order.paid_at === null && isOnlyDust(outputs, order.due_sats)) return isSent ? 'shipped' : null;
  const isLost = isUnpaid && order.paid_at !== null;
  if (!isLost && !isFreeOrder(order) && order.payment_status !== 'expired') return 'not-taken-back';
  if (isSent) return 'shipped';
  return hasPendingOutput(outputs, tip, order.required_confirmations) ? 'payment-live' : null;
}

type CancelledOrder = Pick<OrderToFulfil, 'paid_at' | 'payment_status'> & Pick<UnpayableOrder, 'due_sats'>;

/** Whether the order is cancelled because its payment was lost, and not by a free decision of staff. */
export const isCancelledForLoss = ({ payment_status: status, paid_at: paidAt }: CancelledOrder): boolean =>
  (status === 'pending' || status === 'user_paid') && paidAt !== null;

/** Why the order was cancelled, as the buyer reads it. */
export function describeStaffCancel(order: CancelledOrder, { outputs }: Pick<OrderLedger, 'outputs'>): string {
  const { due_sats: due, paid_at: paidAt } = order;
  if (paidAt === null && isOnlyDust(outputs, due)) return 'the received amount is too small to refund';
  if (!isCancelledForLoss(order)) return 'our team cancelled it';
  return hasRefundable(outputs, due)
    ? 'part of its payment lost its confirmations and did not return'
    : 'its payment lost its confirmations and did not return';
}
