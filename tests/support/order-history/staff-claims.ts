/** Preconditions of staff texts, by kind of task. */
import type { StaffTaskKind } from '#src/shop/admin/tasks/staff-task.ts';
import type { OrderEventKind } from '#src/shop/orders/kinds.ts';
import { isAlways } from './claim.ts';
import { hasStopped, isPaidByChain, DUST_LIMIT } from './facts.ts';
import type { Facts } from './facts.ts';
import { wasLost } from './page-claims.ts';

const isLate = (f: Facts): boolean => f.received >= f.least && !f.wasPaid && !f.isCancelled;
const computeOwed = (f: Facts): bigint => f.received - f.sentBack - f.unclaimed;

export const staffClaims: Readonly<Record<StaffTaskKind, (facts: Facts) => boolean>> = {
  // Claims that the payment is usually confirmed again, which is false for a lost one.
  'reorged-out': (f) => f.wasPaid && !isPaidByChain(f) && !wasLost(f),
  'refund-lost': (f) => f.sentBack > 0n && f.deep < f.sentBack + (f.order.payment_status === 'paid' ? f.kept : 0n),
  'refund-uncovered': (f) => f.sentBack > 0n && f.deep < f.sentBack + f.kept && f.possible >= f.sentOnce,
  'refund-stopped': (f) => hasStopped(f),
  'shipped-unpaid': (f) => f.isSent && !isPaidByChain(f),
  'part-double-spent': (f) => f.goneForGood > 0n && f.hasMoney && wasLost(f),
  'double-spent': (f) => f.goneForGood > 0n && !f.hasMoney && wasLost(f),
  'units-gone': (f) => f.order.units_returned_at !== null && !f.isRefunding,
  'refund-superseded': (f) =>
    f.refunds.some((one) => one.withdrawnAt !== null && one.state !== 'withdrawn') && f.openRefund !== null,
  'refunded-twice': (f) => f.sentBack > f.received - (f.order.payment_status === 'paid' ? f.kept : 0n),
  'paid-after-refund': (f) => f.refunds.some(({ state }) => state === 'confirmed') && computeOwed(f) >= DUST_LIMIT,
  'paid-after-write-off': (f) => f.events.includes('written_off') && computeOwed(f) >= DUST_LIMIT,
  claimed: (f) => f.events.includes('write_off_reopened') && computeOwed(f) >= DUST_LIMIT,
  'refund-to-send': (f) => f.openRefund?.state === 'made',
  'late-sold-out': (f) => isLate(f) && f.deep >= f.least && f.isSoldOut,
  'late-promo': () => false,
  'late-rate': (f) => isLate(f) && f.deep >= f.least && f.rate !== null,
  'late-unconfirmed': (f) => isLate(f) && f.deep < f.least && !f.isOpen,
  'late-no-rate': (f) => isLate(f) && f.deep >= f.least && f.rate === null,
  'cancelled-paid': (f) => f.isCancelled && computeOwed(f) > 0n,
  'underpaid-over': (f) => f.order.payment_status === 'expired' && f.received > 0n && f.received < f.due,
  'surplus-ready': (f) => isPaidByChain(f) && f.deep > f.due && f.isAddressUsable,
  surplus: (f) => isPaidByChain(f) && f.deep > f.due,
  'late-confirming': isLate,
  'refund-sent': (f) => f.openRefund?.state === 'sent' || f.refunds.some(({ state }) => state === 'sent'),
  immature: (f) =>
    f.outputs.some((one) => one.isLive && one.isCoinbase && one.height !== null && f.tip - one.height < 99),
};

/** Claims of each event about the ledger while it is the newest event. */
export const eventClaims: Readonly<Record<OrderEventKind, (facts: Facts) => boolean>> = {
  paid: isPaidByChain,
  paid_again: isPaidByChain,
  paid_anew: isPaidByChain,
  late_accepted: isPaidByChain,
  loss_reversed: (f) => f.order.payment_status === 'paid' || f.deep >= f.sentBack,
  double_spent: wasLost,
  part_double_spent: wasLost,
  double_spend_undone: (f) => !wasLost(f),
  reorged_out: (f) => f.wasPaid && !isPaidByChain(f),
  late: (f) => f.received > 0n,
  late_sold_out: (f) => f.deep > 0n && f.isSoldOut,
  underpaid: (f) => f.received > 0n && f.received < f.due,
  overpaid: (f) => f.received > f.due,
  refund_stopped: (f) => hasStopped(f),
  refund_covered: (f) => f.deep >= f.sentOnce,
  refund_confirmed: (f) => f.refunds.some(({ state }) => state === 'confirmed'),
  refund_sent: (f) => f.refunds.some(({ state }) => state === 'sent' || state === 'confirmed'),
  // Claims about the past, true even if the ledger changes.
  created: isAlways,
  user_paid: isAlways,
  payment_seen: isAlways,
  confirming: isAlways,
  unconfirmed: isAlways,
  part_left: isAlways,
  late_waits: isAlways,
  late_promo_gone: isAlways,
  settled: isAlways,
  replaced: isAlways,
  dropped: isAlways,
  withdrawn: isAlways,
  time_unknown: isAlways,
  refund_uncovered: isAlways,
  refund_lost: isAlways,
  refund_resumed: isAlways,
  closed_as_loss: isAlways,
  refund_loss_closed: isAlways,
  expired: isAlways,
  unconfirmed_too_long: isAlways,
  cancelled: isAlways,
  quote_void: isAlways,
  window_extended: isAlways,
  reservation_released: isAlways,
  requoted: isAlways,
  refund_address: isAlways,
  refund_address_confirmed: isAlways,
  refund_address_entered: isAlways,
  refund_made: isAlways,
  refund_unconfirmed: isAlways,
  refund_left: isAlways,
  refund_recorded: isAlways,
  refund_record_undone: isAlways,
  refund_withdrawn: isAlways,
  written_off: isAlways,
  write_off_reopened: isAlways,
  paid_twice_accepted: isAlways,
  units_returned: isAlways,
  units_taken: isAlways,
  units_gone: isAlways,
  shipped: isAlways,
  partly_shipped: isAlways,
  address_changed: isAlways,
  mail_requested: isAlways,
  delivered: isAlways,
};
