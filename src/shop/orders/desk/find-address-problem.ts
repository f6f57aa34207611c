import type { FulfilmentStatus, PaymentStatus } from '../kinds.ts';

const CHANGEABLE: Readonly<Record<PaymentStatus, boolean>> = {
  pending: true,
  user_paid: true,
  paid: true,
  expired: false,
  cancelled: false,
  refunded: false,
};

/** Whether a parcel of the order may still be sent, so that its address matters. */
export const isAddressChangeable = (order: {
  readonly payment_status: PaymentStatus;
  readonly fulfilment_status: FulfilmentStatus;
}): boolean =>
  CHANGEABLE[order.payment_status] &&
  (order.fulfilment_status === 'unfulfilled' || order.fulfilment_status === 'partly_shipped');
