import type { OrderEventKind, PaymentStatus } from '../kinds.ts';
import type { Sats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { isWholeRefund } from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentEvaluation, PaymentState } from '#src/shop/payments/ledger/payment-state.ts';

/** What settling needs to know of an order; the caller holds the order's row lock. */
export interface OrderToReconcile {
  readonly paymentStatus: PaymentStatus;
  readonly isOpen: boolean;
  readonly paidAt: Date | null;
  readonly expiredAt: Date | null;
  readonly expiresAt: Date;
  readonly cancelledAt: Date | null;
  readonly dueSats: Sats;
  /** What was last recorded and so reported: the state, and what had been received then. Null before the first. */
  readonly recordedState: PaymentState | null;
  readonly recordedReceivedSats: Sats;
  /** Of an order that is refunded: whether the ledger pays it. Left out: as it is recorded. */
  readonly isPaidByLedger?: boolean | undefined;
}

/** The columns of an order that settling writes. */
export interface OrderChange {
  readonly paymentStatus: PaymentStatus;
  readonly isOpen: boolean;
  readonly paidAt: Date | null;
  readonly expiredAt: Date | null;
  readonly recordedState: PaymentState;
  readonly recordedReceivedSats: Sats;
}

export interface Reconciliation {
  /** All columns as they should be; null when nothing differs. */
  readonly change: OrderChange | null;
  /** What happened, in order; the caller appends them in the same transaction. */
  readonly events: readonly OrderEventKind[];
  /** A late payment is deep enough: ask `lateIsAcceptable`, take stock again if expired, then `acceptLate`. */
  readonly needsLateAcceptance: boolean;
}

/** The event when more is received in an unchanged state: an old address may be paid again at any time. */
const MORE_RECEIVED_EVENTS: Readonly<Record<PaymentState, OrderEventKind | null>> = {
  awaiting: null,
  seen: null,
  confirming: null,
  underpaid: 'underpaid',
  paid: null,
  overpaid: 'overpaid',
  late: 'late',
  expired: null,
  replaced: null,
  dropped: null,
  reorged_out: null,
  refunding: null,
  refunded: null,
  written_off: null,
};

/** The moment of a change of state that is worth a line in the timeline. */
function findStateChangeEvent(
  before: PaymentState | null,
  state: PaymentState,
  received: Sats,
  receivedBefore: Sats,
): OrderEventKind | null {
  if (state === 'underpaid' && received < receivedBefore) return 'part_left';
  // Dust is no news: it may come a thousand times.
  if (state === before) return received - receivedBefore >= MIN_REFUND_SATS ? MORE_RECEIVED_EVENTS[state] : null;
  switch (state) {
    case 'seen':
      return before === 'confirming' ? 'unconfirmed' : 'payment_seen';
    case 'confirming':
    case 'underpaid':
    case 'late':
    case 'replaced':
    case 'dropped':
    case 'reorged_out':
    case 'overpaid':
      return state;
    case 'expired':
    case 'awaiting':
      // Money that was there is not any more, and the order is back where it was.
      return receivedBefore - received >= MIN_REFUND_SATS ? 'withdrawn' : null;
    case 'paid':
    case 'refunding':
    case 'refunded':
    case 'written_off':
      return null;
    default:
      return state satisfies never;
  }
}

const isUnpaid = (status: PaymentStatus): boolean =>
  status === 'pending' || status === 'user_paid' || status === 'expired';

/** What an order is apart from its refund, which a reorganisation may take back. */
function statusWithoutRefund({ cancelledAt, expiredAt, paidAt }: OrderToReconcile): PaymentStatus {
  if (cancelledAt !== null) return 'cancelled';
  if (paidAt !== null) return 'paid';
  return expiredAt === null ? 'user_paid' : 'expired';
}

/** What an order is while it is being refunded: paid only while its payment is there. */
function statusWhileRefunding(status: PaymentStatus, { isPaidByLedger, paidAt }: OrderToReconcile): PaymentStatus {
  if (isPaidByLedger === undefined || paidAt === null) return status;
  if (status === 'paid' && !isPaidByLedger) return 'user_paid';
  return status === 'user_paid' && isPaidByLedger ? 'paid' : status;
}

/** What comes while an order is refunded, or afterwards. */
const eventAfterRefund = (order: OrderToReconcile, received: Sats): readonly OrderEventKind[] =>
  isWholeRefund(order.recordedState) && received - order.recordedReceivedSats >= MIN_REFUND_SATS ? ['late'] : [];

function buildReconciliation(
  order: OrderToReconcile,
  next: OrderChange,
  events: readonly OrderEventKind[],
  asks: boolean,
): Reconciliation {
  const isSame =
    next.paymentStatus === order.paymentStatus &&
    next.isOpen === order.isOpen &&
    next.paidAt?.getTime() === order.paidAt?.getTime() &&
    next.expiredAt?.getTime() === order.expiredAt?.getTime() &&
    next.recordedState === order.recordedState &&
    next.recordedReceivedSats === order.recordedReceivedSats;
  return { change: isSame ? null : next, events, needsLateAcceptance: asks };
}

/**
 * What an evaluation of the ledger changes in an order. Run in the transaction that changed the ledger, for every order
 * whose outputs or confirmations may differ; running it again changes nothing. It compares with what was last recorded,
 * so an event is neither lost nor doubled however often the watcher crashed in between.
 *
 * @param evaluation of the same transaction's ledger; `now` is the shop's clock.
 */
export function reconcileOrder(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const { state, receivedSats } = evaluation;
  const recorded = { recordedState: state, recordedReceivedSats: receivedSats };
  const unchanged = {
    paymentStatus: order.paymentStatus,
    isOpen: order.isOpen,
    paidAt: order.paidAt,
    expiredAt: order.expiredAt,
  };
  const events: OrderEventKind[] = [];

  // What became of a refund is told by the one that was made.
  if (isWholeRefund(state)) {
    const before = order.paymentStatus === 'refunded' ? statusWithoutRefund(order) : order.paymentStatus;
    const paymentStatus = state === 'refunded' ? 'refunded' : statusWhileRefunding(before, order);
    const after = eventAfterRefund(order, receivedSats);
    return buildReconciliation(order, { ...unchanged, ...recorded, paymentStatus, isOpen: false }, after, false);
  }
  if (order.paymentStatus === 'refunded') {
    // The refund is none any more, at one blow: first the order is what it was, and the next look decides the rest.
    const before = { ...order, paymentStatus: statusWithoutRefund(order) };
    return { ...reconcileOrder(before, evaluation, now), needsLateAcceptance: false };
  }
  if ((state === 'paid' || state === 'overpaid') && isUnpaid(order.paymentStatus)) {
    events.push(order.paidAt === null ? 'paid' : 'paid_again');
    if (state === 'overpaid') events.push('overpaid');
    return buildReconciliation(
      order,
      { ...unchanged, ...recorded, paymentStatus: 'paid', isOpen: false, paidAt: order.paidAt ?? now },
      events,
      false,
    );
  }

  const { recordedState: before } = order;
  // Given up, a refund leaves an order as it was.
  const isFromRefund = isWholeRefund(before);
  const event = isFromRefund ? null : findStateChangeEvent(before, state, receivedSats, order.recordedReceivedSats);
  if (event !== null) events.push(event);
  const isTakenBack = order.paymentStatus === 'paid' || (isFromRefund && order.paymentStatus === 'user_paid');
  if (state === 'reorged_out' && isTakenBack) {
    // Not only when the state is news: a paid order that is not paid any more is reported whatever was recorded.
    if (event !== 'reorged_out') events.push('reorged_out');
    return buildReconciliation(
      order,
      { ...unchanged, ...recorded, paymentStatus: 'user_paid', isOpen: false },
      events,
      false,
    );
  }
  // Also while a payment in time is still unconfirmed: what is deep enough is there, and how it was found must not matter.
  const asks = evaluation.isCoveredByFinal && isUnpaid(order.paymentStatus);
  return buildReconciliation(order, { ...unchanged, ...recorded }, events, asks);
}

/**
 * Whether an order expires now. The caller asks only with a ledger that was reconciled with the source at `now`, so that a
 * payment in time is in it. An order that was ever paid does not expire. A payment in time keeps it open: for good once it
 * is in a block, and for a limited time after the window while it is not.
 */
export function shouldExpire(
  order: Pick<OrderToReconcile, 'paymentStatus' | 'paidAt' | 'expiresAt'>,
  evaluation: Pick<PaymentEvaluation, 'isCoveredInTime' | 'isConfirmedInTime'>,
  now: Date,
  unconfirmedLimitSeconds: number,
): boolean {
  const waits = order.paymentStatus === 'pending' || order.paymentStatus === 'user_paid';
  const overSinceMs = now.getTime() - order.expiresAt.getTime();
  if (!waits || order.paidAt !== null || overSinceMs < 0 || evaluation.isConfirmedInTime) return false;
  return !evaluation.isCoveredInTime || overSinceMs >= unconfirmedLimitSeconds * 1000;
}

function closeOrder(
  order: OrderToReconcile,
  closed: Pick<OrderChange, 'paymentStatus' | 'expiredAt'>,
  evaluation: PaymentEvaluation,
  now: Date,
): Reconciliation {
  const settled = reconcileOrder({ ...order, ...closed, isOpen: false }, evaluation, now);
  const change = settled.change ?? {
    ...closed,
    isOpen: false,
    paidAt: order.paidAt,
    recordedState: evaluation.state,
    recordedReceivedSats: evaluation.receivedSats,
  };
  return { ...settled, change };
}

/**
 * The change of an expiry. The state is the one of the ledger with `expiredAt` set: an underpaid order keeps that state.
 *
 * @param evaluation made with `expiredAt: now`.
 */
export function expireOrder(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const closed = closeOrder(order, { paymentStatus: 'expired', expiredAt: now }, evaluation, now);
  return { ...closed, events: ['expired', ...closed.events] };
}

/**
 * The change of an order whose payment was seen in time and is unconfirmed for too long: it is late from now on, and holds
 * neither price nor stock. One event says so, in the place of those of an expiry and of a payment that came late.
 *
 * @param evaluation made with `expiredAt: now`.
 */
export function expireUnconfirmed(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const closed = closeOrder(order, { paymentStatus: 'expired', expiredAt: now }, evaluation, now);
  const others = closed.events.filter((kind) => kind !== 'late');
  return { ...closed, events: ['unconfirmed_too_long', ...others] };
}

/**
 * The change of a cancellation, which `refuseCancel` did not refuse.
 *
 * @param evaluation made with `cancelledAt: now`.
 */
export function cancelOrder(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const closed = closeOrder(order, { paymentStatus: 'cancelled', expiredAt: order.expiredAt }, evaluation, now);
  return { ...closed, events: ['cancelled', ...closed.events] };
}

/**
 * Accepts a late payment: the order is paid. The stock and promo use of an expired order have been taken again in the same
 * transaction.
 *
 * @param evaluation made with `paidAt: now`, so that late outputs count.
 */
export function acceptLatePayment(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const settled = reconcileOrder(order, evaluation, now);
  return { ...settled, events: ['late_accepted', ...settled.events] };
}

/**
 * A late payment is accepted by itself if the present rate asks at most so many percent more than the quote did. A rate that
 * asks less is no obstacle: the surplus in dollars is the shop's luck, as a deficit within the tolerance is its cost.
 *
 * @param quotedSats what the quote asked for; `presentSats` what the same dollars cost now.
 * @param tolerancePercent 0 or more, at most two decimals count.
 */
export function isDueWithinTolerance(quotedSats: Sats, presentSats: Sats, tolerancePercent: number): boolean {
  return presentSats * 10_000n <= quotedSats * (10_000n + BigInt(Math.round(tolerancePercent * 100)));
}
