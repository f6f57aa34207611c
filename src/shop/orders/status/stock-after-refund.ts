import type { FulfilmentStatus } from '../kinds.ts';
import type { PaymentState, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

/** What decides where the units of an order are; the caller holds its row lock. */
export interface OrderStockState {
  /** When it was first paid: from then on its units are its own. */
  readonly paid_at: Date | null;
  /** Of what was ever paid only those that staff gave up. */
  readonly cancelled_at: Date | null;
  readonly fulfilment_status: FulfilmentStatus;
  /** Of the whole order. */
  readonly refund_state: WholeRefundState | null;
  /** What was last reported. */
  readonly recorded_state: PaymentState | null;
  /** Since when they are for sale again; null while they are not. */
  readonly units_returned_at: Date | null;
}

/**
 * What becomes of the units of an order by a refund of the whole. They go on sale again when all the money has gone back
 * and nothing was sent: until then the refund may still be given up, which must not leave a paid order without them. When
 * it is none any more, after all, the order has them again if they are there. What was never the order's own was given
 * back when it expired or was cancelled, and what was sent comes back by hand.
 */
export function decideStockAfterRefund(order: OrderStockState): 'put-back' | 'take-again' | null {
  const { recorded_state: before, refund_state: refund, units_returned_at: returnedAt } = order;
  if (order.paid_at === null || order.fulfilment_status !== 'unfulfilled') return null;
  if (refund === 'refunded') return returnedAt === null ? 'put-back' : null;
  const isGivenUp = refund === null && (before === 'refunding' || before === 'refunded');
  return isGivenUp && order.cancelled_at === null && returnedAt !== null ? 'take-again' : null;
}
