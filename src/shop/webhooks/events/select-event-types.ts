import type { PaymentStatus, StoredEventKind } from '#src/shop/orders/kinds.ts';
import type { EventType } from './event-type.ts';

const NONE: readonly EventType[] = [];
const UPDATED: readonly EventType[] = ['order.updated'];
const PAID: readonly EventType[] = ['payment.confirmed', 'order.paid'];
const LATE: readonly EventType[] = ['payment.late'];
const LEFT: readonly EventType[] = ['payment.reorged_out'];
const LOST: readonly EventType[] = ['payment.lost'];

/** The events that webhooks send for each event of an order. */
const TYPES: Readonly<Record<StoredEventKind, readonly EventType[]>> = {
  created: ['order.created'],
  user_paid: NONE,
  payment_seen: ['payment.seen'],
  confirming: ['payment.confirming'],
  unconfirmed: LEFT,
  underpaid: ['payment.incomplete'],
  part_left: LEFT,
  overpaid: ['payment.surplus'],
  late: LATE,
  late_accepted: NONE,
  late_waits: LATE,
  late_sold_out: LATE,
  late_promo_gone: LATE,
  settled: PAID,
  paid: PAID,
  paid_again: PAID,
  paid_anew: PAID,
  reorged_out: LEFT,
  replaced: LEFT,
  dropped: LEFT,
  withdrawn: LEFT,
  time_unknown: NONE,
  double_spent: LOST,
  part_double_spent: LOST,
  refund_stopped: LOST,
  refund_uncovered: LOST,
  refund_lost: LOST,
  double_spend_undone: UPDATED,
  refund_resumed: UPDATED,
  refund_covered: UPDATED,
  closed_as_loss: UPDATED,
  refund_loss_closed: UPDATED,
  loss_reversed: UPDATED,
  expired: ['order.expired'],
  unconfirmed_too_long: NONE,
  cancelled: ['order.cancelled'],
  quote_void: UPDATED,
  window_extended: UPDATED,
  reservation_released: UPDATED,
  requoted: UPDATED,
  refund_address: NONE,
  refund_address_confirmed: NONE,
  refund_address_entered: NONE,
  refund_made: ['refund.created'],
  refund_sent: ['refund.sent'],
  refund_unconfirmed: ['refund.sent'],
  refund_left: ['refund.created'],
  refund_confirmed: ['refund.confirmed'],
  refund_recorded: ['refund.confirmed'],
  refund_record_undone: ['refund.withdrawn'],
  refund_withdrawn: ['refund.withdrawn'],
  written_off: UPDATED,
  write_off_reopened: UPDATED,
  paid_twice_accepted: UPDATED,
  units_returned: NONE,
  units_taken: NONE,
  units_gone: NONE,
  partly_shipped: ['order.partly_shipped'],
  shipped: ['order.shipped'],
  delivered: ['order.delivered'],
  tracking_corrected: UPDATED,
  shipment_undone: UPDATED,
  address_changed: UPDATED,
  mail_requested: NONE,
  return_requested: UPDATED,
  return_approved: UPDATED,
  return_label_added: UPDATED,
  return_refused: UPDATED,
  return_cancelled: UPDATED,
  return_sent: UPDATED,
  return_received: UPDATED,
  return_inspected: UPDATED,
  return_refunded: UPDATED,
  return_exchanged: UPDATED,
  exchange_credited: UPDATED,
  return_closed: UPDATED,
  return_voided: UPDATED,
  return_reopened: UPDATED,
  contract_withdrawn: UPDATED,
  unknown: NONE,
};

/** @param status of the order now */
export function selectEventTypes(kind: StoredEventKind, status: PaymentStatus): readonly EventType[] {
  const types = TYPES[kind];
  return types.includes('refund.confirmed') && status === 'refunded' ? [...types, 'order.refunded'] : types;
}

/** Whether events of this kind may send something. */
export const isSent = (kind: StoredEventKind): boolean => TYPES[kind].length > 0;
