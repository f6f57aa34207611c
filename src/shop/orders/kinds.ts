/**
 * Kinds of order states and events, each declared once. Mappings over them are a `Record` of every
 * kind or a checked switch, so the compiler finds each place that a new kind needs.
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

/** Everything that happens to an order: `kind` of a row of `order_events`. */
const orderEventKinds = [
  // Payment, derived from the ledger.
  'created',
  'user_paid',
  'payment_seen',
  'confirming',
  'unconfirmed',
  'underpaid',
  'part_left',
  'overpaid',
  'late',
  'late_accepted',
  'late_waits',
  'late_sold_out',
  'late_promo_gone',
  'settled',
  'paid',
  'paid_again',
  'paid_anew',
  'reorged_out',
  'replaced',
  'dropped',
  'withdrawn',
  'time_unknown',
  // Losses.
  ...orderLosses,
  'double_spend_undone',
  'refund_resumed',
  'refund_covered',
  'closed_as_loss',
  'refund_loss_closed',
  'loss_reversed',
  // Payment window, reservation and quote.
  'expired',
  'unconfirmed_too_long',
  'cancelled',
  'quote_void',
  'window_extended',
  'reservation_released',
  'requoted',
  // Refunds.
  'refund_address',
  'refund_address_confirmed',
  'refund_address_entered',
  'refund_made',
  'refund_sent',
  'refund_unconfirmed',
  'refund_left',
  'refund_confirmed',
  'refund_recorded',
  'refund_record_undone',
  'refund_withdrawn',
  'written_off',
  'write_off_reopened',
  'paid_twice_accepted',
  // Stock and fulfilment.
  'units_returned',
  'units_taken',
  'units_gone',
  'partly_shipped',
  'shipped',
  'delivered',
  'tracking_corrected',
  'shipment_undone',
  'address_changed',
  'mail_requested',
  // Returns.
  'return_requested',
  'return_approved',
  'return_label_added',
  'return_refused',
  'return_cancelled',
  'return_sent',
  'return_received',
  'return_inspected',
  'return_refunded',
  'return_exchanged',
  // On the order that an exchange created.
  'exchange_credited',
  'return_closed',
  'return_voided',
  'return_reopened',
  // The buyer withdrew from the contract (2011/83/EU, article 9).
  'contract_withdrawn',
] as const;
export type OrderEventKind = (typeof orderEventKinds)[number];

/** A stored kind; `unknown` is one that a newer version of the shop wrote. */
export const storedEventKinds = [...orderEventKinds, 'unknown'] as const;
export type StoredEventKind = (typeof storedEventKinds)[number];

const knownKinds: ReadonlyMap<string, OrderEventKind> = new Map(orderEventKinds.map((kind) => [kind, kind]));

/** The one place where the `kind` column becomes a kind. */
export const parseEventKind = (text: string): StoredEventKind => knownKinds.get(text) ?? 'unknown';
