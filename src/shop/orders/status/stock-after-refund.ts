import type { FulfilmentStatus } from '../kinds.ts';
import { isOfRefund } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentState, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';

/** What decides on the stock of a refunded order; the caller holds its row lock. */
export interface OrderStockState {
  /** When it was first paid, and its reservation became a sale. */
  readonly paid_at: Date | null;
  /** Only staff cancel an order that was paid. */
  readonly cancelled_at: Date | null;
  readonly fulfilment_status: FulfilmentStatus;
  /** Refund of the whole order. */
  readonly refund_state: WholeRefundState | null;
  /** Last recorded state. */
  readonly recorded_state: PaymentState | null;
  /** When its stock was put on sale again; null if it was not. */
  readonly units_returned_at: Date | null;
}

/** Whether units of an order with this status may be left on the shelf. */
export const hasUnitsToShip = (status: FulfilmentStatus): boolean =>
  status === 'unfulfilled' || status === 'partly_shipped';

/**
 * Decides on the stock of an order after a full refund. Units that were not shipped go on sale again
 * once the refund is confirmed, since a refund may still be withdrawn. If the refund
 * is undone, the order gets its stock again if available.
 */
export function decideStockAfterRefund(order: OrderStockState): 'restock' | 'reserve-again' | null {
  const { recorded_state: before, refund_state: refund, units_returned_at: returnedAt } = order;
  if (order.paid_at === null || !hasUnitsToShip(order.fulfilment_status)) return null;
  if (refund === 'refunded') return returnedAt === null ? 'restock' : null;
  const isGivenUp = refund === null && isOfRefund(before);
  return isGivenUp && order.cancelled_at === null && returnedAt !== null ? 'reserve-again' : null;
}
