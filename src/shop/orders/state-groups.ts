/**
 * Groups of states for queries. Each is from a `Record`, so the compiler asks where a new state
 * belongs. A partial index whose condition names states fits only while the group is the same.
 */
import {
  hasOnlyDust,
  hasSurplus,
  isLateState,
  isPartState,
  isReorgedState,
  paymentStates,
} from '#src/shop/payments/ledger/payment-state.ts';
import { orderLosses, paymentStatuses, refundStates } from './kinds.ts';
import type { OrderLoss, PaymentStatus, RefundState } from './kinds.ts';

const UNPAID: Readonly<Record<PaymentStatus, boolean>> = {
  pending: true,
  user_paid: true,
  paid: false,
  expired: true,
  cancelled: false,
  refunded: false,
};

/** A payment, even a late one, can still pay an order with this status. */
export const isUnpaid = (status: PaymentStatus): boolean => UNPAID[status];
export const unpaidStatuses = paymentStatuses.filter(isUnpaid);

/** Payment states by the facts of `payment-state.ts`. */
export const dustStates = paymentStates.filter(hasOnlyDust);
export const partStates = paymentStates.filter(isPartState);
export const lateStates = paymentStates.filter(isLateState);
export const surplusStates = paymentStates.filter(hasSurplus);
export const reorgedStates = paymentStates.filter(isReorgedState);

const OPEN_REFUNDS: Readonly<Record<RefundState, boolean>> = {
  made: true,
  sent: true,
  confirmed: false,
  withdrawn: false,
};

/** States of a refund that is not finished. */
export const openRefundStates = refundStates.filter((state) => OPEN_REFUNDS[state]);

const SENT_REFUNDS: Readonly<Record<RefundState, boolean>> = {
  made: false,
  sent: true,
  confirmed: true,
  withdrawn: false,
};

/** States of a refund whose transaction is in the network. */
export const sentRefundStates = refundStates.filter((state) => SENT_REFUNDS[state]);

const REFUND_LOSSES: Readonly<Record<OrderLoss, boolean>> = {
  double_spent: false,
  part_double_spent: false,
  refund_stopped: false,
  refund_uncovered: true,
  refund_lost: true,
};

/** Losses by refunds that no confirmed payment covers. */
export const refundLosses = orderLosses.filter((loss) => REFUND_LOSSES[loss]);
