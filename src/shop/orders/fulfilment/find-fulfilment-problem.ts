import { findRefundBlock } from '../status/find-refund-block.ts';
import type { RefundBlock } from '../status/find-refund-block.ts';
import type { PaymentStatus, FulfilmentStatus } from '../kinds.ts';
import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { LineSerials } from './serial-numbers.ts';
import type { ShipmentProblem, ShippedUnits } from './select-shipment.ts';

export type FulfilmentStep =
  | {
      readonly to: 'shipped';
      readonly trackingReference: string | null;
      /** Omitted or null: none. */
      readonly carrierId?: string | null;
      /** Number of this shipment within the order, so that a repeat is recognized. Omitted: the next one. */
      readonly number?: number | undefined;
      /** Omitted or null: everything that is left. */
      readonly units?: readonly ShippedUnits[] | null;
      /** Numbers of the units whose product asks for them. */
      readonly serials?: readonly LineSerials[];
    }
  | { readonly to: 'delivered' };

export type FulfilmentProblem =
  | 'not-paid'
  | 'shipping-held'
  | RefundBlock
  | 'not-shipped'
  | 'shipped-otherwise'
  | 'shipment-exists'
  | 'number-missing'
  | 'unknown-carrier'
  | 'no-shipment'
  | 'delivered'
  | 'parcel-refunded'
  | 'parcel-returned'
  | 'serial-numbers'
  | 'serials-changed'
  | 'parcel-returning'
  | ShipmentProblem;

/** What decides whether an order can be shipped; the caller holds its row lock. */
export interface OrderToFulfil {
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
  /** Of the newest shipment. */
  readonly tracking_reference: string | null;
  readonly paid_at: Date | null;
  /** Refund of the whole order. */
  readonly refund_state: WholeRefundState | null;
}

/** Why no units of an order that has some left can be shipped now; null if they can. */
export function findShippingBlock(
  order: Omit<OrderToFulfil, 'tracking_reference' | 'fulfilment_status'>,
): 'not-paid' | 'shipping-held' | RefundBlock | null {
  const frozen = findRefundBlock(order.refund_state);
  if (frozen !== null) return frozen;
  if (order.payment_status === 'paid') return null;
  // A reorganization removed its payment.
  return order.paid_at !== null && order.payment_status === 'user_paid' ? 'shipping-held' : 'not-paid';
}

/**
 * Why an order can't be marked as shipped or delivered; null if it can or already is. Delivery of a
 * shipped order does not depend on the payment.
 */
export function findFulfilmentProblem(order: OrderToFulfil, step: FulfilmentStep): FulfilmentProblem | null {
  const isShipped = order.fulfilment_status === 'shipped' || order.fulfilment_status === 'delivered';
  if (step.to === 'delivered') return isShipped ? null : 'not-shipped';
  if (isShipped) {
    const isRepeat = step.trackingReference === null || step.trackingReference === order.tracking_reference;
    return isRepeat ? null : 'shipped-otherwise';
  }
  return findShippingBlock(order);
}
