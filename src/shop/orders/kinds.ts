/** The kinds of an order's states and events, each declared once. Mappings over them are exhaustive for the compiler. */

export const paymentStatuses = ['pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const fulfilmentStatuses = ['unfulfilled', 'shipped', 'delivered'] as const;
export type FulfilmentStatus = (typeof fulfilmentStatuses)[number];

/**
 * - double_spent: nothing of the payment but dust is there, and it can't come back: another transaction spent its coins and has
 *   the confirmations that the order requires.
 * - part_double_spent: the same of a part; another part is there.
 * - refund_stopped: a refund was made and not sent, and what is confirmed does not cover it.
 * - refund_uncovered: more was sent back than is confirmed; a payment that was taken back may cover it again.
 * - refund_lost: more was sent back than is confirmed, and nothing that may come back covers it.
 */
export const orderLosses = [
  'double_spent',
  'part_double_spent',
  'refund_stopped',
  'refund_uncovered',
  'refund_lost',
] as const;
export type OrderLoss = (typeof orderLosses)[number];

/** What an order was paid too much, or all that was received for it. */
export const refundCovers = ['surplus', 'whole'] as const;
export type RefundCovers = (typeof refundCovers)[number];

export const refundStates = ['made', 'sent', 'confirmed', 'withdrawn'] as const;
export type RefundState = (typeof refundStates)[number];
