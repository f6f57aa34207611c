import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderEventKind, StoredEventKind } from '../kinds.ts';

const MESSAGES: Readonly<Record<StoredEventKind, string>> = {
  created: 'Order placed',
  user_paid: 'Reported as paid',
  payment_seen: 'Payment seen, waiting for confirmation',
  confirming: 'Payment is being confirmed',
  unconfirmed: 'Payment is unconfirmed again',
  underpaid: 'Partial payment received',
  part_left: 'Received amount decreased',
  overpaid: 'More than the amount due received',
  late: 'Payment seen after the payment window',
  late_accepted: 'Late payment accepted',
  late_waits: 'Late payment on hold: its price is no longer valid',
  late_sold_out: 'Late payment on hold: items sold out',
  late_promo_gone: 'Late payment on hold: promo code used up',
  settled: 'Received amount accepted as full payment',
  paid: 'Payment confirmed',
  paid_again: 'Payment confirmed again',
  reorged_out: 'Payment lost its confirmations; we are monitoring it',
  double_spent: 'Payment double-spent: it will not return',
  part_double_spent: 'Part of the payment double-spent: it will not return',
  double_spend_undone: 'Payment may return: the double spend was undone',
  paid_anew: 'Another payment confirmed',
  closed_as_loss: 'Order closed as unpaid',
  loss_reversed: 'Loss reversed: the order is paid',
  replaced: 'Payment replaced by another transaction',
  dropped: 'Payment dropped by the network',
  withdrawn: 'Payment no longer in the network',
  expired: 'Payment window ended',
  time_unknown: 'Payment counts as in time: it may have arrived while we were offline',
  unconfirmed_too_long: 'Payment unconfirmed for too long: price and stock released',
  cancelled: 'Order cancelled',
  quote_void: 'Quote is void: a payment it included left the network',
  window_extended: 'Most of the amount seen: items stay reserved',
  reservation_released: 'Reservation ended by us',
  requoted: 'New quote at the current price',
  refund_address: 'Refund address entered',
  refund_address_confirmed: 'Refund address confirmed',
  refund_address_entered: 'Refund address entered by us',
  refund_made: 'Refund started',
  refund_sent: 'Refund sent',
  refund_unconfirmed: 'Refund is unconfirmed again',
  refund_left: 'Refund left the network; we are looking into it',
  refund_confirmed: 'Refund confirmed',
  refund_recorded: 'Refund confirmed by us',
  refund_record_undone: 'Refund recorded by mistake: not sent yet',
  written_off: 'Closed: received payment not claimed',
  write_off_reopened: 'Payment claimed: it will be refunded',
  paid_twice_accepted: 'Double refund closed by us',
  refund_withdrawn: 'Refund withdrawn to make another one',
  refund_stopped: 'Refund on hold: payment no longer confirmed',
  refund_resumed: 'Payment confirmed again: refund continues',
  refund_uncovered: 'Refunds exceed the confirmed payments',
  refund_lost: 'Refunds exceed the received payments',
  refund_covered: 'Payments cover the refunds again',
  refund_loss_closed: 'Excess refund closed by us',
  units_returned: 'Items are for sale again',
  units_taken: 'Items reserved for this order again',
  units_gone: 'An item is sold out; we are looking into it',
  partly_shipped: 'Part of the order handed to the courier',
  shipped: 'Handed to the courier',
  delivered: 'Delivered',
  tracking_corrected: 'Tracking details of a parcel corrected',
  shipment_undone: 'A parcel was recorded by mistake and is not on its way',
  address_changed: 'Delivery address changed by us',
  mail_requested: 'Mail sent again',
  return_requested: 'Return requested',
  return_approved: 'Return approved',
  return_label_added: 'Label of a return added',
  return_refused: 'Return refused',
  return_cancelled: 'Return cancelled',
  return_sent: 'Return sent',
  return_received: 'Returned items received',
  return_inspected: 'Returned items inspected',
  return_refunded: 'Return completed, refund created',
  return_exchanged: 'Return completed, items exchanged',
  exchange_credited: 'Credit of a return counted',
  return_closed: 'Return closed without a refund',
  return_voided: 'Withdrawal void by agreement',
  return_reopened: 'Return open again',
  contract_withdrawn: 'Withdrawal from the contract received',
  unknown: 'Order updated',
};

/** Messages of a late payment, by the event that closed the order before. */
const LATE_MESSAGES = {
  cancelled: 'Payment arrived after the order was cancelled',
  refund_made: 'Payment arrived after the refund was made',
  written_off: 'Payment arrived after the order was closed',
} as const satisfies Partial<Record<OrderEventKind, string>>;

const isClosing = (kind: StoredEventKind): kind is keyof typeof LATE_MESSAGES => kind in LATE_MESSAGES;

/** The messages of an order's events; oldest first, as the kinds are. */
export function describeEvents(kinds: readonly StoredEventKind[]): readonly string[] {
  return kinds.map((kind, index) => {
    const closing = kind === 'late' ? kinds.slice(0, index).findLast(isClosing) : undefined;
    return closing === undefined ? MESSAGES[kind] : LATE_MESSAGES[closing];
  });
}

/** Reads an amount in satoshi from an event's details; null if there is none. */
export function readAmount(details: Readonly<Record<string, unknown>>, key: string): Sats | null {
  const amount = details[key];
  return typeof amount === 'string' && /^\d{1,18}$/.test(amount) ? sats(BigInt(amount)) : null;
}
