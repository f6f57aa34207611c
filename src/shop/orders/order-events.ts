/** The events of orders: what each is called, and what follows from it. */

/**
 * What an event may cause, besides webhooks.
 * - task: the order may need staff afterwards.
 * - mail: an order mail, which `notifications` writes. Refunds and returns have mails of their own.
 * - document: the order may need an invoice or a credit note.
 */
type Consequence = 'task' | 'mail' | 'document';

export interface OrderEventFacts {
  /** In the timeline of the order. */
  readonly text: string;
  readonly causes: readonly Consequence[];
  /** Names of the webhook events; `webhooks` checks that they exist. */
  readonly webhooks: readonly string[];
}

const UPDATED = ['order.updated'] as const;
const PAID = ['payment.confirmed', 'order.paid'] as const;
const LATE = ['payment.late'] as const;
const LEFT = ['payment.reorged_out'] as const;
const LOST = ['payment.lost'] as const;

/** Everything that happens to an order: `kind` of a row of `order_events`. */
export const ORDER_EVENTS = {
  // Payment, derived from the ledger.
  created: { text: 'Order placed', causes: ['mail'], webhooks: ['order.created'] },
  user_paid: { text: 'Reported as paid', causes: [], webhooks: [] },
  payment_seen: {
    text: 'Payment seen, waiting for confirmation',
    causes: ['task', 'mail'],
    webhooks: ['payment.seen'],
  },
  confirming: { text: 'Payment is being confirmed', causes: ['task', 'mail'], webhooks: ['payment.confirming'] },
  unconfirmed: { text: 'Payment is unconfirmed again', causes: [], webhooks: LEFT },
  underpaid: { text: 'Partial payment received', causes: ['task', 'mail'], webhooks: ['payment.incomplete'] },
  part_left: { text: 'Received amount decreased', causes: ['mail'], webhooks: LEFT },
  overpaid: { text: 'More than the amount due received', causes: ['task', 'mail'], webhooks: ['payment.surplus'] },
  late: { text: 'Payment seen after the payment window', causes: ['task', 'mail'], webhooks: LATE },
  late_accepted: { text: 'Late payment accepted', causes: [], webhooks: [] },
  late_waits: { text: 'Late payment on hold: its price is no longer valid', causes: ['task', 'mail'], webhooks: LATE },
  late_sold_out: { text: 'Late payment on hold: items sold out', causes: ['task', 'mail'], webhooks: LATE },
  late_promo_gone: { text: 'Late payment on hold: promo code used up', causes: ['task', 'mail'], webhooks: LATE },
  settled: { text: 'Received amount accepted as full payment', causes: ['mail', 'document'], webhooks: PAID },
  paid: { text: 'Payment confirmed', causes: ['mail', 'document'], webhooks: PAID },
  paid_again: { text: 'Payment confirmed again', causes: ['mail', 'document'], webhooks: PAID },
  paid_anew: { text: 'Another payment confirmed', causes: ['mail', 'document'], webhooks: PAID },
  reorged_out: {
    text: 'Payment lost its confirmations; we are monitoring it',
    causes: ['task', 'mail'],
    webhooks: LEFT,
  },
  replaced: { text: 'Payment replaced by another transaction', causes: ['mail'], webhooks: LEFT },
  dropped: { text: 'Payment dropped by the network', causes: ['mail'], webhooks: LEFT },
  withdrawn: { text: 'Payment no longer in the network', causes: ['mail'], webhooks: LEFT },
  time_unknown: {
    text: 'Payment counts as in time: it may have arrived while we were offline',
    causes: [],
    webhooks: [],
  },
  // Losses.
  double_spent: { text: 'Payment double-spent: it will not return', causes: ['task', 'mail'], webhooks: LOST },
  part_double_spent: {
    text: 'Part of the payment double-spent: it will not return',
    causes: ['task', 'mail'],
    webhooks: LOST,
  },
  refund_stopped: { text: 'Refund on hold: payment no longer confirmed', causes: ['task', 'mail'], webhooks: LOST },
  refund_uncovered: { text: 'Refunds exceed the confirmed payments', causes: ['task'], webhooks: LOST },
  refund_lost: { text: 'Refunds exceed the received payments', causes: ['task'], webhooks: LOST },
  double_spend_undone: {
    text: 'Payment may return: the double spend was undone',
    causes: ['task', 'mail'],
    webhooks: UPDATED,
  },
  refund_resumed: { text: 'Payment confirmed again: refund continues', causes: ['task', 'mail'], webhooks: UPDATED },
  refund_covered: { text: 'Payments cover the refunds again', causes: [], webhooks: UPDATED },
  closed_as_loss: { text: 'Order closed as unpaid', causes: ['mail', 'document'], webhooks: UPDATED },
  refund_loss_closed: { text: 'Excess refund closed by us', causes: [], webhooks: UPDATED },
  loss_reversed: { text: 'Loss reversed: the order is paid', causes: ['document'], webhooks: UPDATED },
  // Payment window, reservation and quote.
  expired: { text: 'Payment window ended', causes: ['task', 'mail'], webhooks: ['order.expired'] },
  unconfirmed_too_long: {
    text: 'Payment unconfirmed for too long: price and stock released',
    causes: ['task', 'mail'],
    webhooks: [],
  },
  cancelled: { text: 'Order cancelled', causes: ['task', 'mail', 'document'], webhooks: ['order.cancelled'] },
  quote_void: { text: 'Quote is void: a payment it included left the network', causes: [], webhooks: UPDATED },
  window_extended: { text: 'Most of the amount seen: items stay reserved', causes: [], webhooks: UPDATED },
  reservation_released: { text: 'Reservation ended by us', causes: [], webhooks: UPDATED },
  requoted: { text: 'New quote at the current price', causes: ['mail', 'document'], webhooks: UPDATED },
  // Refunds.
  refund_address: { text: 'Refund address entered', causes: [], webhooks: [] },
  refund_address_confirmed: { text: 'Refund address confirmed', causes: ['task'], webhooks: [] },
  refund_address_entered: { text: 'Refund address entered by us', causes: [], webhooks: [] },
  refund_made: { text: 'Refund started', causes: [], webhooks: ['refund.created'] },
  refund_sent: { text: 'Refund sent', causes: ['task'], webhooks: ['refund.sent'] },
  refund_unconfirmed: { text: 'Refund is unconfirmed again', causes: [], webhooks: ['refund.sent'] },
  refund_left: {
    text: 'Refund left the network; we are looking into it',
    causes: ['task', 'document'],
    webhooks: ['refund.created'],
  },
  refund_confirmed: { text: 'Refund confirmed', causes: ['task', 'document'], webhooks: ['refund.confirmed'] },
  refund_recorded: { text: 'Refund confirmed by us', causes: ['task', 'document'], webhooks: ['refund.confirmed'] },
  refund_record_undone: {
    text: 'Refund recorded by mistake: not sent yet',
    causes: ['task', 'document'],
    webhooks: ['refund.withdrawn'],
  },
  refund_withdrawn: {
    text: 'Refund withdrawn to make another one',
    causes: ['document'],
    webhooks: ['refund.withdrawn'],
  },
  written_off: { text: 'Closed: received payment not claimed', causes: [], webhooks: UPDATED },
  write_off_reopened: { text: 'Payment claimed: it will be refunded', causes: ['task'], webhooks: UPDATED },
  paid_twice_accepted: { text: 'Double refund closed by us', causes: [], webhooks: UPDATED },
  // Stock and fulfilment.
  units_returned: { text: 'Items are for sale again', causes: [], webhooks: [] },
  units_taken: { text: 'Items reserved for this order again', causes: [], webhooks: [] },
  units_gone: { text: 'An item is sold out; we are looking into it', causes: ['task'], webhooks: [] },
  partly_shipped: {
    text: 'Part of the order handed to the courier',
    causes: ['mail'],
    webhooks: ['order.partly_shipped'],
  },
  shipped: { text: 'Handed to the courier', causes: ['mail'], webhooks: ['order.shipped'] },
  delivered: { text: 'Delivered', causes: [], webhooks: ['order.delivered'] },
  tracking_corrected: { text: 'Tracking details of a parcel corrected', causes: ['mail'], webhooks: UPDATED },
  shipment_undone: {
    text: 'A parcel was recorded by mistake and is not on its way',
    causes: ['mail', 'document'],
    webhooks: UPDATED,
  },
  address_changed: { text: 'Delivery address changed by us', causes: ['mail'], webhooks: UPDATED },
  mail_requested: { text: 'Mail sent again', causes: [], webhooks: [] },
  // Returns.
  return_requested: { text: 'Return requested', causes: [], webhooks: UPDATED },
  return_approved: { text: 'Return approved', causes: [], webhooks: UPDATED },
  return_label_added: { text: 'Label of a return added', causes: [], webhooks: UPDATED },
  return_refused: { text: 'Return refused', causes: [], webhooks: UPDATED },
  return_cancelled: { text: 'Return cancelled', causes: [], webhooks: UPDATED },
  return_sent: { text: 'Return sent', causes: [], webhooks: UPDATED },
  return_received: { text: 'Returned items received', causes: [], webhooks: UPDATED },
  return_inspected: { text: 'Returned items inspected', causes: [], webhooks: UPDATED },
  return_refunded: { text: 'Return completed, refund created', causes: [], webhooks: UPDATED },
  return_exchanged: { text: 'Return completed, items exchanged', causes: ['document'], webhooks: UPDATED },
  // On the order that an exchange created.
  exchange_credited: { text: 'Credit of a return counted', causes: [], webhooks: UPDATED },
  return_closed: { text: 'Return closed without a refund', causes: [], webhooks: UPDATED },
  return_voided: { text: 'Withdrawal void by agreement', causes: [], webhooks: UPDATED },
  return_reopened: { text: 'Return open again', causes: [], webhooks: UPDATED },
  // The buyer withdrew from the contract (2011/83/EU, article 9).
  contract_withdrawn: { text: 'Withdrawal from the contract received', causes: ['task'], webhooks: UPDATED },
  // One that a newer version of the shop wrote.
  unknown: { text: 'Order updated', causes: [], webhooks: [] },
} as const satisfies Readonly<Record<string, OrderEventFacts>>;

/** A stored kind; `unknown` is one that a newer version of the shop wrote. */
export type StoredEventKind = keyof typeof ORDER_EVENTS;
export type OrderEventKind = Exclude<StoredEventKind, 'unknown'>;

/** Kinds that cause an order mail. */
export type MailEventKind = {
  [Kind in StoredEventKind]: 'mail' extends (typeof ORDER_EVENTS)[Kind]['causes'][number] ? Kind : never;
}[StoredEventKind];

const FACTS: Readonly<Record<StoredEventKind, OrderEventFacts>> = ORDER_EVENTS;

const isStoredKind = (text: string): text is StoredEventKind => Object.hasOwn(ORDER_EVENTS, text);

export const storedEventKinds = Object.keys(ORDER_EVENTS).filter(isStoredKind);

/** The one place where the `kind` column becomes a kind. */
export const parseEventKind = (text: string): StoredEventKind => (isStoredKind(text) ? text : 'unknown');

export const isMailEvent = (kind: StoredEventKind): kind is MailEventKind => FACTS[kind].causes.includes('mail');
export const isTaskEvent = (kind: StoredEventKind): boolean => FACTS[kind].causes.includes('task');
export const isDocumentEvent = (kind: StoredEventKind): boolean => FACTS[kind].causes.includes('document');
