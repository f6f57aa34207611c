import type { Sats } from '../money.ts';
import type { PaymentStatus } from '../orders/settle-order.ts';
import type { FulfilmentStatus } from '../orders/show-order.ts';
import { LEAST_REFUND_SATS } from '../payments/least-refund.ts';

/** Why an order keeps its buyer's account from being deleted, the most pressing first. */
export const deletionBlocks = ['order-open', 'order-unshipped', 'refund-under-way', 'payment-under-way'] as const;
export type DeletionBlock = (typeof deletionBlocks)[number];

export interface OrderToLeave {
  readonly is_open: boolean;
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly recorded_received_sats: Sats;
  readonly refund_state: 'refunding' | 'refunded' | null;
  /** What confirmed refunds have taken. */
  readonly refunded_sats: Sats;
  readonly has_open_refund: boolean;
}

/**
 * Null for an order that has ended: nothing is to be paid, shipped or sent back. What is too little to be
 * sent back does not count.
 */
export function deletionBlockOf(order: OrderToLeave): DeletionBlock | null {
  if (order.is_open) return 'order-open';
  if (order.has_open_refund || order.refund_state === 'refunding') return 'refund-under-way';
  switch (order.payment_status) {
    case 'paid':
      return order.fulfilment_status === 'unfulfilled' ? 'order-unshipped' : null;
    // Not open any more: it was paid, and the network took the payment back.
    case 'pending':
    case 'user_paid':
      return 'payment-under-way';
    case 'expired':
    case 'cancelled':
    case 'refunded':
      return order.recorded_received_sats - order.refunded_sats >= LEAST_REFUND_SATS ? 'payment-under-way' : null;
    default:
      return order.payment_status satisfies never;
  }
}
