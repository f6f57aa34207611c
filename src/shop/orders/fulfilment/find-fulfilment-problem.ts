import { findRefundBlock } from '../status/find-refund-block.ts';
import type { RefundBlock } from '../status/find-refund-block.ts';
import type { PaymentStatus, FulfilmentStatus } from '../kinds.ts';
import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

export type FulfilmentStep =
  | { readonly to: 'shipped'; readonly trackingReference: string | null }
  | { readonly to: 'delivered' };

export type FulfilmentProblem = 'not-paid' | 'shipping-held' | RefundBlock | 'not-shipped' | 'shipped-otherwise';

/** What decides whether an order can be shipped; the caller holds its row lock. */
export interface OrderToFulfil {
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  readonly tracking_reference: string | null;
  readonly paid_at: Date | null;
  /** Refund of the whole order. */
  readonly refund_state: WholeRefundState | null;
}

/**
 * Why an order can't be marked as shipped or delivered; null if it can or already is. Delivery of a
 * shipped order does not depend on the payment.
 */
export function findFulfilmentProblem(order: OrderToFulfil, step: FulfilmentStep): FulfilmentProblem | null {
  if (step.to === 'delivered') return order.fulfilment_status === 'unfulfilled' ? 'not-shipped' : null;
  if (order.fulfilment_status !== 'unfulfilled') {
    const isRepeat = step.trackingReference === null || step.trackingReference === order.tracking_reference;
    return isRepeat ? null : 'shipped-otherwise';
  }
  const frozen = findRefundBlock(order.refund_state);
  if (frozen !== null) return frozen;
  if (order.payment_status === 'paid') return null;
  // A reorganization removed its payment.
  return order.paid_at !== null && order.payment_status === 'user_paid' ? 'shipping-held' : 'not-paid';
}
