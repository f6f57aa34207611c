/**
 * Kinds of order states, each declared once. Mappings over them are a `Record` of every kind or a
 * checked switch, so the compiler finds each place that a new kind needs.
 */

export const paymentStatuses = ['pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const fulfilmentStatuses = ['unfulfilled', 'partly_shipped', 'shipped', 'delivered'] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

/**
 * - double_spent: a conflicting transaction has the required confirmations, and at most dust of the
 *   payment remains.
 * - part_double_spent: the same for a part of the payment; another part remains.
 * - refund_stopped: a refund was made but not sent, and the confirmed amount does not cover it.
 * - refund_uncovered: more was refunded than is confirmed; a reorganized payment may still cover it.
 * - refund_lost: more was refunded than is confirmed, and no payment can cover it any more.
 */
export const orderLosses = [
  'double_spent',
  'part_double_spent',
  'refund_stopped',
  'refund_uncovered',
  'refund_lost',
] as const;
export type OrderLoss = (typeof orderLosses)[number];

/** What a refund covers: the surplus, everything received, units of lines, or an amount of a paid order. */
export const refundCovers = ['surplus', 'whole', 'lines', 'amount'] as const;
export type RefundCovers = (typeof refundCovers)[number];

/** What a refund covers without a choice of units. A write-off covers nothing else. */
export const totalCovers = ['surplus', 'whole'] as const;
export type TotalCovers = (typeof totalCovers)[number];

export const refundStates = ['made', 'sent', 'confirmed', 'withdrawn'] as const;
export type RefundState = (typeof refundStates)[number];
