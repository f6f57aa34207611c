import { isDust } from '#src/shop/payments/ledger/dust.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { countConfirmations, COINBASE_MATURITY } from '#src/shop/payments/ledger/payment-state.ts';
import type {
  LedgerOutput,
  PaymentEvaluation,
  PaymentState,
  WholeRefundState,
} from '#src/shop/payments/ledger/payment-state.ts';
import type { OrderLoss, PaymentStatus, FulfilmentStatus } from '#src/shop/orders/kinds.ts';
import { addSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { DoubleRefund } from '#src/shop/refunds/matching/double-refund.ts';

/** Kinds of staff tasks, most urgent first. */
export const staffTaskKinds = [
  'reorged-out',
  'refund-lost',
  'refund-uncovered',
  'refund-stopped',
  'shipped-unpaid',
  'part-double-spent',
  'double-spent',
  'units-gone',
  'refund-superseded',
  'refunded-twice',
  'paid-after-refund',
  'paid-after-write-off',
  'claimed',
  'refund-to-send',
  'late-sold-out',
  'late-promo',
  'late-rate',
  'late-unconfirmed',
  'cancelled-paid',
  'underpaid-over',
  'surplus-ready',
  'surplus',
  'late-confirming',
  'late-no-rate',
  'refund-sent',
  'immature',
] as const;
export type StaffTaskKind = (typeof staffTaskKinds)[number];

export const isStaffTaskKind = (text: string): text is StaffTaskKind => staffTaskKinds.some((kind) => kind === text);

/** Order events that may create a staff task. */
const TASK_EVENTS: ReadonlySet<string> = new Set([
  'reorged_out',
  'double_spent',
  'part_double_spent',
  'double_spend_undone',
  'refund_stopped',
  'refund_resumed',
  'refund_uncovered',
  'refund_lost',
  'late',
  'late_waits',
  'unconfirmed_too_long',
  'late_sold_out',
  'late_promo_gone',
  'payment_seen',
  'confirming',
  'underpaid',
  'expired',
  'cancelled',
  'overpaid',
  'refund_address_confirmed',
  'units_gone',
  'refund_left',
  // For these a task starts with the latest payment.
  'refund_sent',
  'refund_confirmed',
  'refund_recorded',
  'refund_record_undone',
  'write_off_reopened',
]);
export const isTaskEvent = (turn: string): boolean => TASK_EVENTS.has(turn);

/** Informational: they resolve automatically. */
const INFORMATIONAL: ReadonlySet<StaffTaskKind> = new Set([
  'late-confirming',
  'late-no-rate',
  'refund-sent',
  'immature',
]);
export const isInformational = (kind: StaffTaskKind): boolean => INFORMATIONAL.has(kind);

export interface StaffTask {
  readonly kind: StaffTaskKind;
  readonly since: Date;
}

/** What a staff task depends on beside the ledger. */
export interface OrderForTask {
  readonly payment_status: PaymentStatus;
  readonly created_at: Date;
  readonly expired_at: Date | null;
  /** Of the whole order. */
  readonly refund_state: WholeRefundState | null;
  /** Undefined: not sent. */
  readonly fulfilment_status?: FulfilmentStatus;
  /** The last reported loss with its time, and the closed one; undefined or null for none. */
  readonly recorded_loss?: OrderLoss | null;
  readonly recorded_loss_at?: Date | null;
  readonly closed_as_loss_of?: 'payment' | 'refund' | null;
  /** When the stock was released for sale; null if it was not. */
  readonly units_returned_at: Date | null;
  readonly evaluation: Pick<
    PaymentEvaluation,
    'state' | 'receivedSats' | 'surplusSats' | 'isCoveredByFinal' | 'isSeenInTime'
  >;
  readonly outputs: readonly LedgerOutput[];
  readonly tip: { readonly height: number } | null;
  /** Latest time of each kind of event. */
  readonly lastEvents: ReadonlyMap<string, Date>;
  /** Whether the present rate would accept a late payment; null without a rate. */
  readonly isLatePaymentAcceptable: boolean | null;
  /** An open refund. */
  readonly openRefund: { readonly state: 'made' | 'sent'; readonly madeAt: Date } | null;
  /** Sum of confirmed refunds. */
  readonly refundedSats: Sats;
  /** Sum of unclaimed write-offs that were not reopened. */
  readonly unclaimedSats: Sats;
  /** A withdrawn refund was sent beside another one, sent or open. */
  readonly doubleRefund: DoubleRefund['kind'] | null;
  /** Since when the refund address can be used; null if it can't. */
  readonly addressConfirmedAt: Date | null;
  /** Dust limit of that address. */
  readonly minRefundSats: bigint;
}

const latest = (...moments: readonly (Date | null | undefined)[]): Date | null => {
  let last: Date | null = null;
  for (const moment of moments) if (moment && (last === null || moment > last)) last = moment;
  return last;
};

const findLastFirstSeen = (outputs: readonly LedgerOutput[]): Date | null =>
  latest(...outputs.filter(({ isLive }) => isLive).map(({ firstSeen }) => firstSeen));

function findLateTask(order: OrderForTask): StaffTaskKind {
  const { isCoveredByFinal, isSeenInTime } = order.evaluation;
  if (!isCoveredByFinal)
    return isSeenInTime && order.lastEvents.has('unconfirmed_too_long') ? 'late-unconfirmed' : 'late-confirming';
  if (order.isLatePaymentAcceptable === null) return 'late-no-rate';
  if (!order.isLatePaymentAcceptable) return 'late-rate';
  const soldOut = order.lastEvents.get('late_sold_out');
  const promo = order.lastEvents.get('late_promo_gone');
  if (promo && (!soldOut || promo > soldOut)) return 'late-promo';
  // Accepted at the next reconciliation.
  return soldOut ? 'late-sold-out' : 'late-confirming';
}

/** The event that starts a task; null if another fact does. */
const SINCE_EVENTS: Readonly<Record<StaffTaskKind, string | null>> = {
  'reorged-out': 'reorged_out',
  'refund-lost': null,
  'refund-uncovered': null,
  'refund-stopped': null,
  'shipped-unpaid': null,
  'part-double-spent': null,
  'double-spent': null,
  'units-gone': 'units_gone',
  'refund-superseded': null,
  'refunded-twice': null,
  'paid-after-refund': null,
  'paid-after-write-off': null,
  claimed: 'write_off_reopened',
  'refund-to-send': null,
  'late-sold-out': 'late_sold_out',
  'late-promo': 'late_promo_gone',
  'late-rate': 'late_waits',
  'late-unconfirmed': 'unconfirmed_too_long',
  'late-no-rate': null,
  'cancelled-paid': null,
  'underpaid-over': null,
  'surplus-ready': null,
  surplus: 'overpaid',
  'late-confirming': null,
  'refund-sent': null,
  immature: null,
};

/** The loss task of a paid or shipped order; undefined for none. */
function findLossTask(order: OrderForTask): StaffTaskKind | null | undefined {
  const {
    closed_as_loss_of: closed = null,
    fulfilment_status: fulfilment = 'unfulfilled',
    recorded_loss: loss,
  } = order;
  const { payment_status: status, refund_state: refund } = order;
  const { state } = order.evaluation;
  if (closed !== 'refund') {
    if (loss === 'refund_lost') return 'refund-lost';
    if (loss === 'refund_uncovered') return 'refund-uncovered';
  }
  if (loss === 'refund_stopped' && state !== 'reorged_out') return 'refund-stopped';
  if (refund !== null) return undefined;
  const isSentUnpaid = fulfilment !== 'unfulfilled' && status === 'expired' && state !== 'late';
  if (state !== 'reorged_out' && !isSentUnpaid) return undefined;
  if (closed === 'payment') return null;
  const isForGood = loss === 'double_spent' || loss === 'part_double_spent';
  if (isSentUnpaid || (isForGood && fulfilment !== 'unfulfilled')) return 'shipped-unpaid';
  if (loss === 'part_double_spent') return 'part-double-spent';
  return loss === 'double_spent' ? 'double-spent' : 'reorged-out';
}

/** At most dust was received. */
const HOLDS_DUST: ReadonlySet<PaymentState> = new Set(['awaiting', 'expired', 'replaced', 'dropped']);

/** The task from refunds and write-offs; null for no task, undefined if they do not decide. */
function findRefundTask(order: OrderForTask): StaffTaskKind | null | undefined {
  const { evaluation, openRefund, doubleRefund } = order;
  const { state, receivedSats } = evaluation;
  if (doubleRefund !== null) return doubleRefund === 'sent' ? 'refunded-twice' : 'refund-superseded';
  const isOwed = receivedSats - addSats(order.refundedSats, order.unclaimedSats) >= MIN_REFUND_SATS;
  if (state === 'refunded' && isOwed) return 'paid-after-refund';
  if (openRefund) return openRefund.state === 'made' ? 'refund-to-send' : 'refund-sent';
  if (state === 'refunded') return null;
  // A reorganized refund is sent again.
  if (state === 'refunding') return 'refund-sent';
  if (state === 'written_off') return isOwed ? findOwedTask(order) : findImmatureTask(order);
  return undefined;
}

function findTaskKind(order: OrderForTask): StaffTaskKind | null {
  const lost = findLossTask(order);
  if (lost !== undefined) return lost;
  const { evaluation, payment_status: status } = order;
  const { state, receivedSats, surplusSats } = evaluation;
  if (order.units_returned_at !== null && order.refund_state === null && status !== 'cancelled') return 'units-gone';
  const byRefunds = findRefundTask(order);
  if (byRefunds !== undefined) return byRefunds;
  if (status === 'cancelled') {
    const isThere = receivedSats > addSats(order.refundedSats, order.unclaimedSats);
    return isThere && !HOLDS_DUST.has(state) ? 'cancelled-paid' : findImmatureTask(order);
  }
  if (state === 'late') return findLateTask(order);
  if (status === 'expired' && state === 'underpaid') return 'underpaid-over';
  if (surplusSats >= MIN_REFUND_SATS && status === 'paid')
    return order.addressConfirmedAt && surplusSats >= order.minRefundSats ? 'surplus-ready' : 'surplus';
  return findImmatureTask(order);
}

/** An order closed by a write-off: its money was claimed, or another payment arrived. */
function findOwedTask({ lastEvents }: OrderForTask): StaffTaskKind {
  const [claimed, closed] = [lastEvents.get('write_off_reopened'), lastEvents.get('written_off')];
  return claimed && (!closed || claimed >= closed) ? 'claimed' : 'paid-after-write-off';
}

const isImmature = (output: LedgerOutput, tip: OrderForTask['tip']): boolean =>
  output.isLive && output.isCoinbase && !isDust(output) && countConfirmations(output, tip) < COINBASE_MATURITY;

const findImmatureTask = ({ outputs, tip }: OrderForTask): StaffTaskKind | null =>
  outputs.some((output) => isImmature(output, tip)) ? 'immature' : null;

const LOSSES = [
  'refund-lost',
  'refund-uncovered',
  'refund-stopped',
  'shipped-unpaid',
  'part-double-spent',
  'double-spent',
] as const satisfies readonly StaffTaskKind[];
const isLossTask = (kind: StaffTaskKind): kind is (typeof LOSSES)[number] => LOSSES.some((one) => one === kind);

const getLossDate = (order: OrderForTask): Date | null => order.recorded_loss_at ?? order.expired_at;

/** The most urgent staff task of an order with its start; null if there is none. */
export function findStaffTask(order: OrderForTask): StaffTask | null {
  const kind = findTaskKind(order);
  if (kind === null) return null;
  const { lastEvents, outputs, openRefund } = order;
  const arrived = findLastFirstSeen(outputs) ?? order.created_at;
  const since = (): Date | null | undefined => {
    if (isLossTask(kind)) return getLossDate(order);
    const turn = SINCE_EVENTS[kind];
    if (turn !== null) return lastEvents.get(turn);
    switch (kind) {
      case 'refund-to-send':
        return latest(openRefund?.madeAt, lastEvents.get('refund_left'));
      case 'refund-sent':
        return lastEvents.get('refund_sent') ?? openRefund?.madeAt;
      case 'refund-superseded':
      case 'refunded-twice':
        return latest(lastEvents.get('refund_sent'), lastEvents.get('refund_confirmed'));
      case 'underpaid-over':
        return order.expired_at;
      case 'surplus-ready':
        return latest(lastEvents.get('overpaid'), order.addressConfirmedAt);
      default:
        return arrived;
    }
  };
  return { kind, since: since() ?? arrived };
}
