import type { OrderLedger, StoredOrder } from '../stored-order.ts';
import { addSats, divideUp, NO_SATS, sats, convertCentsToSats, subtractSats, sumSats } from '#src/shop/money.ts';
import type { CentsPerBtc, Sats } from '#src/shop/money.ts';
import { hasRefundable } from '#src/shop/payments/ledger/dust.ts';
import { sumFinalSats, evaluatePayment, isLateState, isPaidState } from '#src/shop/payments/ledger/payment-state.ts';
import type {
  LedgerOutput,
  PaymentCredit,
  PaymentEvaluation,
  PaymentFacts,
} from '#src/shop/payments/ledger/payment-state.ts';
import { findRefundBlock } from './find-refund-block.ts';
import type { RefundBlock } from './find-refund-block.ts';
import type { FulfilmentStatus } from '../kinds.ts';
import { isPaymentLostForGood } from './order-loss.ts';
import type { ReceivedInTime } from './requote-order.ts';
import {
  acceptLatePayment,
  cancelOrder,
  expireOrder,
  expireUnconfirmed,
  isDueWithinTolerance,
  reconcileOrder,
  shouldExpire,
} from './reconcile-order.ts';
import type { OrderChange, OrderToReconcile, Reconciliation } from './reconcile-order.ts';

/** Credit of the present quote, and the amount due without it: the whole total at its rate. */
function getCredit(order: StoredOrder): PaymentCredit | null {
  const { credited_sats: credited, credited_until: until, unpaid_cents: unpaid, due_sats: due } = order;
  if (credited === NO_SATS || until === null || unpaid === null) return null;
  const dueWithoutSats = unpaid === 0n ? null : sats(divideUp((due - credited) * order.total_after_cents, unpaid));
  return { sats: credited, until, dueWithoutSats };
}

/** Evaluates an order's payment; `changed` replaces facts that are about to change. */
export function evaluateOrder(
  order: StoredOrder,
  ledger: OrderLedger,
  changed: Partial<PaymentFacts> = {},
): PaymentEvaluation {
  return evaluatePayment({
    outputs: ledger.outputs,
    tip: ledger.tip,
    quote: {
      dueSats: order.due_sats,
      credit: getCredit(order),
      toleranceSats: order.tolerance_sats,
      address: ledger.address,
      requiredConfirmations: order.required_confirmations,
      expiresAt: order.expires_at,
    },
    order: {
      paidAt: order.paid_at,
      expiredAt: order.expired_at,
      cancelledAt: order.cancelled_at,
      settledSats: order.settled_sats,
      refund: order.refund_state,
      returnedSats: order.returned_sats,
      ...changed,
    },
  });
}

const toOrderToReconcile = (order: StoredOrder): OrderToReconcile => ({
  paymentStatus: order.payment_status,
  isOpen: order.is_open,
  paidAt: order.paid_at,
  expiredAt: order.expired_at,
  expiresAt: order.expires_at,
  cancelledAt: order.cancelled_at,
  dueSats: order.due_sats,
  recordedState: order.recorded_state,
  recordedReceivedSats: order.recorded_received_sats,
});

export interface LateAcceptanceTerms {
  /** The present rate; without one no late payment is accepted automatically. */
  readonly presentRate: CentsPerBtc | null;
  /** Percent by which the amount may have risen since the quote. */
  readonly tolerancePercent: number;
  /** Days after the expiry in which a late payment is accepted automatically. */
  readonly limitDays: number;
}

const DAY_MS = 86_400_000;

/** Whether an order expired too long ago to accept a late payment automatically. */
export const isTooLate = (
  { expired_at: expiredAt, expires_at: expiresAt }: Pick<StoredOrder, 'expired_at' | 'expires_at'>,
  limitDays: number,
  now: Date,
): boolean => now.getTime() > (expiredAt ?? expiresAt).getTime() + limitDays * DAY_MS;

/** Sum of live outputs first seen by a moment, without coinbase. */
function sumReceivedUntil(outputs: readonly LedgerOutput[], until: Date): Sats {
  const counted = outputs.filter(({ isLive, isCoinbase, firstSeen }) => isLive && !isCoinbase && firstSeen <= until);
  return sumSats(counted.map(({ amountSats }) => amountSats));
}

type Quoted = Pick<StoredOrder, 'credited_sats' | 'credited_until' | 'expires_at'>;

/**
 * Amount received within the quoted windows.
 * @param holdsPrice false for outputs that lost their quoted price; omitted: none did
 */
export function computeReceivedInTime(
  order: Quoted,
  ledger: Pick<OrderLedger, 'outputs'>,
  holdsPrice: (output: LedgerOutput) => boolean = () => true,
): ReceivedInTime {
  const { credited_sats: credited, credited_until: until, expires_at: expiresAt } = order;
  const outputs = ledger.outputs.filter(holdsPrice);
  const left = until === null ? NO_SATS : sumReceivedUntil(outputs, until);
  return { credited: left < credited ? left : credited, all: sumReceivedUntil(outputs, expiresAt) };
}

/**
 * Whether an output keeps the price of its quote: confirmed within the limit after it was first
 * seen, or still within the limit.
 */
export const createPriceHoldPredicate =
  (now: Date, unconfirmedLimitSeconds: number) =>
  ({ confirmedAt = null, firstSeen, height }: LedgerOutput): boolean => {
    const until = firstSeen.getTime() + unconfirmedLimitSeconds * 1000;
    return confirmedAt === null ? height !== null || now.getTime() <= until : confirmedAt.getTime() <= until;
  };

/** Whether a credited payment left, which voids the quote. */
const isCreditLost = (order: Quoted, ledger: OrderLedger): boolean =>
  computeReceivedInTime(order, ledger).credited < order.credited_sats;

/** Amount due of the whole order at the present rate; the credit keeps its value. */
export function computeDueAtRate(
  order: Pick<StoredOrder, 'credited_sats' | 'unpaid_cents' | 'total_after_cents'>,
  rate: CentsPerBtc,
): Sats {
  return addSats(order.credited_sats, convertCentsToSats(order.unpaid_cents ?? order.total_after_cents, rate));
}

/** Whether a late payment of the amount due may be accepted at the present rate. */
export function isLatePaymentAcceptable(
  order: Parameters<typeof computeDueAtRate>[0] & Pick<StoredOrder, 'due_sats'>,
  { presentRate, tolerancePercent }: Pick<LateAcceptanceTerms, 'presentRate' | 'tolerancePercent'>,
): boolean {
  return (
    presentRate !== null && isDueWithinTolerance(order.due_sats, computeDueAtRate(order, presentRate), tolerancePercent)
  );
}

/**
 * Reconciles an order with its ledger, including automatic acceptance of a late payment. Null
 * terms (stock unavailable) accept none.
 */
export function reconcileWithLedger(
  order: StoredOrder,
  ledger: OrderLedger,
  now: Date,
  late: LateAcceptanceTerms | null,
): Reconciliation {
  const isLost = isCreditLost(order, ledger);
  if (isLost && order.is_open) {
    const expired = expireOrder(toOrderToReconcile(order), evaluateOrder(order, ledger, { expiredAt: now }), now);
    return { ...expired, events: ['quote_void', ...expired.events] };
  }
  const reconciliation = reconcileOrder(
    { ...toOrderToReconcile(order), ...checkLedgerCover(order, ledger) },
    evaluateOrder(order, ledger),
    now,
  );
  if (!reconciliation.needsLateAcceptance || late === null || isTooLate(order, late.limitDays, now))
    return reconciliation;
  const quoted = isLost ? { ...order, credited_sats: NO_SATS, unpaid_cents: null } : order;
  if (!isLatePaymentAcceptable(quoted, late)) return reconciliation;
  return acceptLatePayment(toOrderToReconcile(order), evaluateOrder(order, ledger, { paidAt: now }), now);
}

/** Whether the ledger pays a refunded order; otherwise it does not count as paid. */
function checkLedgerCover(order: StoredOrder, ledger: OrderLedger): Pick<OrderToReconcile, 'isPaidByLedger'> {
  if (order.refund_state === null) return {};
  const { state } = evaluateOrder(order, ledger, { refund: null });
  return { isPaidByLedger: isPaidState(state) };
}

/** Adds the event of a late payment that waits for staff; stored once per amount. */
export function addLateWaitingEvent(order: StoredOrder, reconciliation: Reconciliation): Reconciliation {
  const isLate = isLateState(reconciliation.change?.recordedState ?? order.recorded_state);
  return reconciliation.needsLateAcceptance && isLate
    ? { ...reconciliation, events: [...reconciliation.events, 'late_waits'] }
    : reconciliation;
}

/** Why a buyer can't cancel an order. */
export type CancelProblem = 'payment-live' | 'not-cancellable' | RefundBlock;

/** A buyer can't cancel a shipped order, or a paid one whose payment may return. */
export function findCancelProblem(
  order: StoredOrder & { readonly fulfilment_status?: FulfilmentStatus },
  ledger: OrderLedger,
): CancelProblem | null {
  const { fulfilment_status: fulfilment = 'unfulfilled', payment_status: status } = order;
  const frozen = findRefundBlock(order.refund_state);
  if (frozen !== null) return frozen;
  const isUnpaid = status === 'pending' || status === 'user_paid' || status === 'expired';
  const isPaymentLost = order.paid_at === null || isPaymentLostForGood(order, ledger);
  if (!isUnpaid || !isPaymentLost || fulfilment !== 'unfulfilled') return 'not-cancellable';
  return hasRefundable(ledger.outputs, order.due_sats) ? 'payment-live' : null;
}

export function cancelWithLedger(order: StoredOrder, ledger: OrderLedger, now: Date): Reconciliation {
  return cancelOrder(toOrderToReconcile(order), evaluateOrder(order, ledger, { cancelledAt: now }), now);
}

interface ExpiryTerms {
  /** When the ledger last equalled the source; later times decide nothing. */
  readonly reconciledAt: Date;
  /** How long after the window a timely payment may stay unconfirmed. */
  readonly unconfirmedLimitSeconds: number;
}

/** The expiry of an order; null if it does not expire. */
export function expireWithLedger(
  order: StoredOrder,
  ledger: OrderLedger,
  now: Date,
  { reconciledAt, unconfirmedLimitSeconds }: ExpiryTerms,
): Reconciliation | null {
  const knownUntil = reconciledAt < now ? reconciledAt : now;
  const before = evaluateOrder(order, ledger);
  if (!shouldExpire(toOrderToReconcile(order), before, knownUntil, unconfirmedLimitSeconds)) return null;
  const after = evaluateOrder(order, ledger, { expiredAt: now });
  return before.isCoveredInTime
    ? expireUnconfirmed(toOrderToReconcile(order), after, now)
    : expireOrder(toOrderToReconcile(order), after, now);
}

type Counted = Pick<StoredOrder, 'due_sats' | 'settled_sats' | 'returned_sats' | 'recorded_received_sats'>;

/** Amounts to store with an order event: received before and now. */
export function createAmountDetails(order: Counted, change: Pick<OrderChange, 'recordedReceivedSats'> | null) {
  const received = change?.recordedReceivedSats ?? order.recorded_received_sats;
  const due = order.settled_sats ?? order.due_sats;
  return {
    due_sats: String(order.due_sats),
    received_sats: String(received),
    before_sats: String(order.recorded_received_sats),
    surplus_sats: String(subtractSats(subtractSats(received, due), order.returned_sats)),
  };
}

/** Sum of the order's final outputs. */
export const sumFinalForOrder = (
  order: Pick<StoredOrder, 'required_confirmations'>,
  { outputs, tip }: OrderLedger,
): Sats => sumFinalSats(outputs, tip, order.required_confirmations);

/** Accepts an amount as full payment, also of a cancelled order. */
export function acceptAsPaid(order: StoredOrder, ledger: OrderLedger, settledSats: Sats, now: Date): Reconciliation {
  const accepted = { settledSats, cancelledAt: null, paidAt: order.paid_at ?? now };
  const paymentStatus = order.payment_status === 'cancelled' ? 'expired' : order.payment_status;
  return reconcileOrder(
    { ...toOrderToReconcile(order), cancelledAt: null, paymentStatus },
    evaluateOrder(order, ledger, accepted),
    now,
  );
}
