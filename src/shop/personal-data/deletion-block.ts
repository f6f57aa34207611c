import type { Sats } from '#src/shop/money.ts';
import type { PaymentStatus, FulfilmentStatus } from '#src/shop/orders/kinds.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

/** Reason why an order blocks the deletion of its buyer's account, the most urgent first. */
export const deletionBlocks = [
  'order-open',
  'order-unshipped',
  'refund-under-way',
  'return-open',
  'payment-under-way',
] as const;
export type DeletionBlock = (typeof deletionBlocks)[number];

export interface OrderForDeletion {
  readonly is_open: boolean;
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly recorded_received_sats: Sats;
  readonly refund_state: WholeRefundState | null;
  /** What staff have closed as a loss; null for nothing. */
  readonly closed_as_loss_of: 'payment' | 'refund' | null;
  /** What confirmed refunds have taken, and what was written off as unclaimed. */
  readonly refunded_sats: Sats;
  readonly has_open_refund: boolean;
  /** A return or withdrawal that is not closed. */
  readonly has_open_return: boolean;
  /** The credit of an exchange that pays it, or a part of it, has to be refunded. */
  readonly owes_credit: boolean;
}

const isRefundDue = (order: OrderForDeletion): boolean =>
  order.recorded_received_sats - order.refunded_sats >= MIN_REFUND_SATS;

/**
 * Null for an order without open payment, shipping or refund. Amounts below the minimum refund do
 * not count.
 */
export function findDeletionBlock(order: OrderForDeletion): DeletionBlock | null {
  if (order.is_open) return 'order-open';
  if (order.has_open_refund || order.refund_state === 'refunding') return 'refund-under-way';
  if (order.has_open_return && order.payment_status !== 'refunded') return 'return-open';
  if (order.owes_credit) return 'payment-under-way';
  const isLossOpen = order.fulfilment_status !== 'unfulfilled' && order.closed_as_loss_of === null;
  switch (order.payment_status) {
    case 'paid':
      return order.fulfilment_status === 'unfulfilled' || order.fulfilment_status === 'partly_shipped'
        ? 'order-unshipped'
        : null;
    // Paid once, but a reorganization removed the payment.
    case 'pending':
    case 'user_paid':
      return order.closed_as_loss_of === 'payment' ? null : 'payment-under-way';
    // Shipped but unpaid: staff must collect the payment or close it as a loss.
    case 'expired':
      return isLossOpen || isRefundDue(order) ? 'payment-under-way' : null;
    case 'cancelled':
    case 'refunded':
      return isRefundDue(order) ? 'payment-under-way' : null;
    default:
      return order.payment_status satisfies never;
  }
}
