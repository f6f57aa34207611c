import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderEventKind, StoredEventKind } from '../kinds.ts';

const MESSAGES: Readonly<Record<StoredEventKind, string>> = {
  created: 'Order placed',
  user_paid: 'You told us that you have paid',
  payment_seen: 'Payment seen, waiting for its first confirmation',
  confirming: 'The payment is in a block',
  unconfirmed: 'The payment left its block and waits for another one',
  underpaid: 'A part of the amount has arrived',
  part_left: 'A part of the payment is not there any more',
  overpaid: 'More than the amount has arrived',
  late: 'The payment was first seen after the time for it was over',
  late_accepted: 'The late payment was accepted',
  late_waits: 'The late payment waits for us: the rate has moved',
  late_sold_out: 'The late payment waits for us: something is sold out',
  late_promo_gone: 'The late payment waits for us: the promo code has been used up',
  settled: 'We accepted what has arrived as the whole payment',
  paid: 'Payment confirmed',
  paid_again: 'Payment confirmed again',
  reorged_out: 'The network took the payment back; we are watching it',
  double_spent: 'The coins of the payment were spent otherwise: it will not return',
  part_double_spent: 'The coins of a part of the payment were spent otherwise: it will not return',
  double_spend_undone: 'The payment may return: the network took the other transaction back',
  paid_anew: 'Another payment confirmed',
  closed_as_loss: 'We closed the order as unpaid',
  loss_reversed: 'The order is paid after all',
  replaced: 'The payment was replaced by another transaction',
  dropped: 'The network has dropped the payment',
  withdrawn: 'The payment is not there any more',
  expired: 'The time to pay was over',
  time_unknown: 'The payment may have come while we could not look: it counts as in time',
  unconfirmed_too_long: 'The payment was not confirmed for too long and holds price and stock no longer',
  cancelled: 'Order cancelled',
  quote_void: 'A payment that the quote counted on is not there any more',
  window_extended: 'Most of the amount was seen: the items stay reserved',
  reservation_released: 'We ended the reservation of the items',
  requoted: 'Quoted again at the rate of that moment',
  refund_address: 'Address for refunds given',
  refund_address_confirmed: 'Address for refunds confirmed',
  refund_address_entered: 'We entered an address for your refund',
  refund_made: 'We are sending money back',
  refund_sent: 'The refund is on its way',
  refund_unconfirmed: 'The refund left its block and waits for another one',
  refund_left: 'The refund is not on its way any more; we are looking into it',
  refund_confirmed: 'Refund confirmed',
  refund_recorded: 'Refund confirmed by us',
  refund_record_undone: 'We noted the refund by mistake: it is not done yet',
  written_off: 'Closed: nobody claimed what has arrived',
  write_off_reopened: 'The money is claimed: it goes back',
  paid_twice_accepted: 'We closed our accounts of this order',
  refund_withdrawn: 'We took the refund back to make another one',
  refund_stopped: 'The refund is on hold: the payment is not confirmed any more',
  refund_resumed: 'The payment is confirmed again, and the refund goes on',
  refund_uncovered: 'More was sent back than is confirmed',
  refund_lost: 'More was sent back than has arrived',
  refund_covered: 'What was sent back is confirmed again',
  refund_loss_closed: 'What was sent back was noted',
  units_returned: 'What was ordered is for sale again',
  units_taken: 'What was ordered is reserved for this order again',
  units_gone: 'Something that was ordered is sold out; we are looking into it',
  shipped: 'Handed to the courier',
  delivered: 'Delivered',
  unknown: 'Order updated',
};

/** Messages of a late payment, by the event that closed the order before. */
const LATE_MESSAGES = {
  cancelled: 'A payment came after the order was cancelled',
  refund_made: 'A payment came after the refund was made',
  written_off: 'A payment came after the order was closed',
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
