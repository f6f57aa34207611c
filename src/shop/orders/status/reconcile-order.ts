import type { PaymentStatus } from '../kinds.ts';
import type { OrderEventKind } from '../order-events.ts';
import { isUnpaid } from '../state-groups.ts';
import type { Sats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import {
  hasSurplus,
  isPaidState,
  isPartState,
  isReorgedState,
  isWholeRefund,
} from '#src/shop/payments/ledger/payment-state.ts';
import type { PaymentEvaluation, PaymentState } from '#src/shop/payments/ledger/payment-state.ts';

/** What reconciliation reads of an order; the caller holds the order's row lock. */
export interface OrderToReconcile {
  readonly paymentStatus: PaymentStatus;
  readonly isOpen: boolean;
  readonly paidAt: Date | null;
  readonly expiredAt: Date | null;
  readonly expiresAt: Date;
  readonly cancelledAt: Date | null;
  readonly dueSats: Sats;
  /** Last recorded state and received amount. Null before the first reconciliation. */
  readonly recordedState: PaymentState | null;
  readonly recordedReceivedSats: Sats;
  /** For a refunded order: whether the ledger pays it. Omitted: unchanged. */
  readonly isPaidByLedger?: boolean | undefined;
}

/** The columns that reconciliation writes. */
export interface OrderChange {
  readonly paymentStatus: PaymentStatus;
  readonly isOpen: boolean;
  readonly paidAt: Date | null;
  readonly expiredAt: Date | null;
  readonly recordedState: PaymentState;
  readonly recordedReceivedSats: Sats;
}

export interface Reconciliation {
  /** The new columns; null if unchanged. */
  readonly change: OrderChange | null;
  /** Events in order; the caller appends them in the same transaction. */
  readonly events: readonly OrderEventKind[];
  /**
   * A late payment is final: the caller checks the rate, reserves stock again if expired, then
   * calls `acceptLatePayment`.
   */
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

/** The event of a state change; null if it needs none. */
function findStateChangeEvent(
  before: PaymentState | null,
  state: PaymentState,
  received: Sats,
  receivedBefore: Sats,
): OrderEventKind | null {
  if (isPartState(state) && received < receivedBefore) return 'part_left';
  // Dust is not an event: it may arrive thousands of times.
  if (state === before) return received - receivedBefore >= MIN_REFUND_SATS ? MORE_RECEIVED_EVENTS[state] : null;
  if (isWholeRefund(state)) return null;
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
      // The payment left, and the order is back in its former state.
      return receivedBefore - received >= MIN_REFUND_SATS ? 'withdrawn' : null;
    case 'paid':
      return null;
    default:
      return state satisfies never;
  }
}

/** Status without the refund, which a reorganization may undo. */
function computeStatusWithoutRefund({ cancelledAt, expiredAt, paidAt }: OrderToReconcile): PaymentStatus {
  if (cancelledAt !== null) return 'cancelled';
  if (paidAt !== null) return 'paid';
  return expiredAt === null ? 'user_paid' : 'expired';
}

/** Status during a refund: paid only while the ledger pays it. */
function computeStatusWhileRefunding(
  status: PaymentStatus,
  { isPaidByLedger, paidAt }: OrderToReconcile,
): PaymentStatus {
  if (isPaidByLedger === undefined || paidAt === null) return status;
  if (status === 'paid' && !isPaidByLedger) return 'user_paid';
  return status === 'user_paid' && isPaidByLedger ? 'paid' : status;
}

/** Payments during or after a refund are late. */
const listEventsAfterRefund = (order: OrderToReconcile, received: Sats): readonly OrderEventKind[] =>
  isWholeRefund(order.recordedState) && received - order.recordedReceivedSats >= MIN_REFUND_SATS ? ['late'] : [];

function buildReconciliation(
  order: OrderToReconcile,
  next: OrderChange,
  events: readonly OrderEventKind[],
  needsLateAcceptance: boolean,
): Reconciliation {
  const isSame =
    next.paymentStatus === order.paymentStatus &&
    next.isOpen === order.isOpen &&
    next.paidAt?.getTime() === order.paidAt?.getTime() &&
    next.expiredAt?.getTime() === order.expiredAt?.getTime() &&
    next.recordedState === order.recordedState &&
    next.recordedReceivedSats === order.recordedReceivedSats;
  return { change: isSame ? null : next, events, needsLateAcceptance };
}

/**
 * Derives the changes of an order from an evaluation of its ledger. Idempotent: it compares with
 * the recorded state, so events are neither lost nor repeated after a crash. Call it in the
 * transaction that changed the ledger, for every order whose outputs or confirmations may differ.
 * @param evaluation of the same transaction's ledger
 * @param now the shop's time
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

  // Refund events are recorded by the refunds slice.
  if (isWholeRefund(state)) {
    const before = order.paymentStatus === 'refunded' ? computeStatusWithoutRefund(order) : order.paymentStatus;
    const paymentStatus = state === 'refunded' ? 'refunded' : computeStatusWhileRefunding(before, order);
    const after = listEventsAfterRefund(order, receivedSats);
    return buildReconciliation(order, { ...unchanged, ...recorded, paymentStatus, isOpen: false }, after, false);
  }
  if (order.paymentStatus === 'refunded') {
    // The refund was undone: restore the status first; the next reconciliation decides the rest.
    const before = { ...order, paymentStatus: computeStatusWithoutRefund(order) };
    return { ...reconcileOrder(before, evaluation, now), needsLateAcceptance: false };
  }
  if (isPaidState(state) && isUnpaid(order.paymentStatus)) {
    events.push(order.paidAt === null ? 'paid' : 'paid_again');
    if (hasSurplus(state)) events.push('overpaid');
    return buildReconciliation(
      order,
      { ...unchanged, ...recorded, paymentStatus: 'paid', isOpen: false, paidAt: order.paidAt ?? now },
      events,
      false,
    );
  }

  const { recordedState: before } = order;
  // A withdrawn refund leaves the order as it was.
  const isFromRefund = isWholeRefund(before);
  const event = isFromRefund ? null : findStateChangeEvent(before, state, receivedSats, order.recordedReceivedSats);
  if (event !== null) events.push(event);
  const isTakenBack = order.paymentStatus === 'paid' || (isFromRefund && order.paymentStatus === 'user_paid');
  if (isReorgedState(state) && isTakenBack) {
    // Recorded even if the state did not change: a paid order is no longer paid.
    if (event !== 'reorged_out') events.push('reorged_out');
    return buildReconciliation(
      order,
      { ...unchanged, ...recorded, paymentStatus: 'user_paid', isOpen: false },
      events,
      false,
    );
  }
  // Also while a timely payment is unconfirmed: the final amount decides, however it was found.
  const needsLateAcceptance = evaluation.isCoveredByFinal && isUnpaid(order.paymentStatus);
  return buildReconciliation(order, { ...unchanged, ...recorded }, events, needsLateAcceptance);
}

/**
 * Whether an order expires now. The ledger must equal the source at `now`. A paid order never
 * expires; a timely payment keeps it open, for a limited time while unconfirmed.
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
  const reconciliation = reconcileOrder({ ...order, ...closed, isOpen: false }, evaluation, now);
  const change = reconciliation.change ?? {
    ...closed,
    isOpen: false,
    paidAt: order.paidAt,
    recordedState: evaluation.state,
    recordedReceivedSats: evaluation.receivedSats,
  };
  return { ...reconciliation, change };
}

/**
 * Expires an order; an underpaid order keeps its state.
 * @param evaluation with `expiredAt: now`.
 */
export function expireOrder(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const closed = closeOrder(order, { paymentStatus: 'expired', expiredAt: now }, evaluation, now);
  return { ...closed, events: ['expired', ...closed.events] };
}

/**
 * Expires an order whose timely payment stayed unconfirmed too long: it is late from now on. One
 * event replaces those of the expiry and the late payment.
 * @param evaluation with `expiredAt: now`.
 */
export function expireUnconfirmed(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const closed = closeOrder(order, { paymentStatus: 'expired', expiredAt: now }, evaluation, now);
  const others = closed.events.filter((kind) => kind !== 'late');
  return { ...closed, events: ['unconfirmed_too_long', ...others] };
}

/**
 * Cancels an order that `findCancelProblem` allows.
 * @param evaluation with `cancelledAt: now`.
 */
export function cancelOrder(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const closed = closeOrder(order, { paymentStatus: 'cancelled', expiredAt: order.expiredAt }, evaluation, now);
  return { ...closed, events: ['cancelled', ...closed.events] };
}

/**
 * Accepts a late payment. Stock and promo use of an expired order were reserved again in the same
 * transaction.
 * @param evaluation with `paidAt: now`, so that late outputs count.
 */
export function acceptLatePayment(order: OrderToReconcile, evaluation: PaymentEvaluation, now: Date): Reconciliation {
  const reconciliation = reconcileOrder(order, evaluation, now);
  return { ...reconciliation, events: ['late_accepted', ...reconciliation.events] };
}

/**
 * Whether a late payment is accepted automatically: the present rate requires at most this many
 * percent more. A lower amount is always accepted.
 * @param quotedSats amount due of the quote
 * @param presentSats the same dollars at the present rate
 * @param tolerancePercent 0 or more, up to two decimals
 */
export function isDueWithinTolerance(quotedSats: Sats, presentSats: Sats, tolerancePercent: number): boolean {
  return presentSats * 10_000n <= quotedSats * (10_000n + BigInt(Math.round(tolerancePercent * 100)));
}
