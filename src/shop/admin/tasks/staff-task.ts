import { isDust } from '#src/shop/payments/ledger/dust.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import {
  COINBASE_MATURITY,
  countConfirmations,
  hasOnlyDust,
  isLateState,
  isPartState,
  isReorgedState,
  isWholeRefund,
} from '#src/shop/payments/ledger/payment-state.ts';
import type { LedgerOutput, PaymentEvaluation, WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import type { FulfilmentStatus, OrderLoss, PaymentStatus } from '#src/shop/orders/kinds.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
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
  'withdrawal',
  'late-sold-out',
  'late-promo',
  'late-rate',
  'late-overdue',
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

/** Events whose last time decides a task or its start. */
export const datedEventKinds = [
  'reorged_out',
  'late_waits',
  'unconfirmed_too_long',
  'late_sold_out',
  'late_promo_gone',
  'overpaid',
  'refund_sent',
  'units_gone',
  'refund_left',
  'refund_confirmed',
  'written_off',
  'write_off_reopened',
] as const satisfies readonly OrderEventKind[];
export type DatedEventKind = (typeof datedEventKinds)[number];

/** Tasks that end without an action of staff. */
const INFORMATIONAL: Readonly<Record<StaffTaskKind, boolean>> = {
  'reorged-out': false,
  'refund-lost': false,
  'refund-uncovered': false,
  'refund-stopped': false,
  'shipped-unpaid': false,
  'part-double-spent': false,
  'double-spent': false,
  'units-gone': false,
  'refund-superseded': false,
  'refunded-twice': false,
  'paid-after-refund': false,
  'paid-after-write-off': false,
  claimed: false,
  'refund-to-send': false,
  withdrawal: false,
  'late-sold-out': false,
  'late-promo': false,
  'late-rate': false,
  'late-overdue': false,
  'late-unconfirmed': false,
  'cancelled-paid': false,
  'underpaid-over': false,
  'surplus-ready': false,
  surplus: false,
  'late-confirming': true,
  'late-no-rate': true,
  'refund-sent': true,
  immature: true,
};
export const isInformational = (kind: StaffTaskKind): boolean => INFORMATIONAL[kind];

export interface StaffTask {
  readonly kind: StaffTaskKind;
  readonly since: Date;
}

/** Data of an order that decides its staff task. */
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
  /** Time of the last event of each kind. */
  readonly lastEvents: Pick<ReadonlyMap<DatedEventKind, Date>, 'get' | 'has'>;
  /** A late payment is acceptable at the present rate; null without a rate. */
  readonly isLatePaymentAcceptable: boolean | null;
  /** The order expired too long ago to accept a late payment automatically. */
  readonly isTooLate: boolean;
  /** An open refund. */
  readonly openRefund: { readonly state: 'made' | 'sent'; readonly madeAt: Date } | null;
  /** Sum of confirmed refunds. */
  readonly refundedSats: Sats;
  /** When the buyer withdrew from units that are not refunded, the first time; omitted or null: never. */
  readonly withdrewAt?: Date | null;
  /** Sum of unclaimed write-offs that were not reopened. */
  readonly unclaimedSats: Sats;
  /** A withdrawn refund was sent in addition to another one, which is sent or open. */
  readonly doubleRefund: DoubleRefund['kind'] | null;
  /** Since when the refund address can be used; null if it can't. */
  readonly addressConfirmedAt: Date | null;
  /** Dust limit of that address. */
  readonly minRefundSats: bigint;
}

const findLatest = (...moments: readonly (Date | null | undefined)[]): Date | null => {
  let last: Date | null = null;
  for (const moment of moments) if (moment && (last === null || moment > last)) last = moment;
  return last;
};

const findLastFirstSeen = (outputs: readonly LedgerOutput[]): Date | null =>
  findLatest(...outputs.filter(({ isLive }) => isLive).map(({ firstSeen }) => firstSeen));

function findLateTask(order: OrderForTask): StaffTaskKind {
  const { isCoveredByFinal, isSeenInTime } = order.evaluation;
  if (!isCoveredByFinal)
    return isSeenInTime && order.lastEvents.has('unconfirmed_too_long') ? 'late-unconfirmed' : 'late-confirming';
  if (order.isTooLate) return 'late-overdue';
  if (order.isLatePaymentAcceptable === null) return 'late-no-rate';
  if (!order.isLatePaymentAcceptable) return 'late-rate';
  const soldOut = order.lastEvents.get('late_sold_out');
  const promo = order.lastEvents.get('late_promo_gone');
  if (promo && (!soldOut || promo > soldOut)) return 'late-promo';
  // Accepted at the next reconciliation.
  return soldOut ? 'late-sold-out' : 'late-confirming';
}

/** The task from a loss; null if it was closed, undefined if there is no loss. */
function findLossTask(order: OrderForTask): StaffTaskKind | null | undefined {
  const {
    closed_as_loss_of: lossClosedOf = null,
    fulfilment_status: fulfilment = 'unfulfilled',
    recorded_loss: loss,
  } = order;
  const { payment_status: status, refund_state: refund } = order;
  const { state } = order.evaluation;
  if (lossClosedOf !== 'refund') {
    if (loss === 'refund_lost') return 'refund-lost';
    if (loss === 'refund_uncovered') return 'refund-uncovered';
  }
  if (loss === 'refund_stopped' && !isReorgedState(state)) return 'refund-stopped';
  if (refund !== null) return undefined;
  const isSentUnpaid = fulfilment !== 'unfulfilled' && status === 'expired' && !isLateState(state);
  if (!isReorgedState(state) && !isSentUnpaid) return undefined;
  if (lossClosedOf === 'payment') return null;
  const isForGood = loss === 'double_spent' || loss === 'part_double_spent';
  if (isSentUnpaid || (isForGood && fulfilment !== 'unfulfilled')) return 'shipped-unpaid';
  if (loss === 'part_double_spent') return 'part-double-spent';
  return loss === 'double_spent' ? 'double-spent' : 'reorged-out';
}

/** The task from refunds and write-offs; null for no task, undefined if they do not decide. */
function findRefundTask(order: OrderForTask): StaffTaskKind | null | undefined {
  const { evaluation, openRefund, doubleRefund } = order;
  const { state, receivedSats } = evaluation;
  if (doubleRefund !== null) return doubleRefund === 'sent' ? 'refunded-twice' : 'refund-superseded';
  const isOwed = receivedSats - addSats(order.refundedSats, order.unclaimedSats) >= MIN_REFUND_SATS;
  if (state === 'refunded' && isOwed) return 'paid-after-refund';
  if (openRefund) return openRefund.state === 'made' ? 'refund-to-send' : 'refund-sent';
  if (!isWholeRefund(state)) return undefined;
  switch (state) {
    case 'refunded':
      return null;
    // A reorganized refund is rebroadcast.
    case 'refunding':
      return 'refund-sent';
    case 'written_off':
      return isOwed ? findOwedTask(order) : findImmatureTask(order);
    default:
      return state satisfies never;
  }
}

function findTaskKind(order: OrderForTask): StaffTaskKind | null {
  const lost = findLossTask(order);
  if (lost !== undefined) return lost;
  const { evaluation, payment_status: status } = order;
  const { state, receivedSats, surplusSats } = evaluation;
  if (order.units_returned_at !== null && order.refund_state === null && status !== 'cancelled') return 'units-gone';
  const byRefunds = findRefundTask(order);
  if (byRefunds !== undefined) return byRefunds;
  if (order.withdrewAt) return 'withdrawal';
  if (status === 'cancelled') {
    const isThere = receivedSats > addSats(order.refundedSats, order.unclaimedSats);
    return isThere && !hasOnlyDust(state) ? 'cancelled-paid' : findImmatureTask(order);
  }
  if (isLateState(state)) return findLateTask(order);
  if (status === 'expired' && isPartState(state)) return 'underpaid-over';
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

type FindSince = (order: OrderForTask) => Date | null | undefined;

const findEventTime =
  (kind: DatedEventKind): FindSince =>
  ({ lastEvents }) =>
    lastEvents.get(kind);
const findLossTime: FindSince = (order) => order.recorded_loss_at ?? order.expired_at;
const findDoubleRefundTime: FindSince = ({ lastEvents }) =>
  findLatest(lastEvents.get('refund_sent'), lastEvents.get('refund_confirmed'));
const findNoTime = (): null => null;

/** Since when an order has a task; null or undefined: since its last payment arrived. */
const SINCE: Readonly<Record<StaffTaskKind, FindSince>> = {
  'reorged-out': findEventTime('reorged_out'),
  'refund-lost': findLossTime,
  'refund-uncovered': findLossTime,
  'refund-stopped': findLossTime,
  'shipped-unpaid': findLossTime,
  'part-double-spent': findLossTime,
  'double-spent': findLossTime,
  'units-gone': findEventTime('units_gone'),
  'refund-superseded': findDoubleRefundTime,
  'refunded-twice': findDoubleRefundTime,
  'paid-after-refund': findNoTime,
  'paid-after-write-off': findNoTime,
  claimed: findEventTime('write_off_reopened'),
  'refund-to-send': ({ lastEvents, openRefund }) => findLatest(openRefund?.madeAt, lastEvents.get('refund_left')),
  withdrawal: ({ withdrewAt }) => withdrewAt,
  'late-sold-out': findEventTime('late_sold_out'),
  'late-promo': findEventTime('late_promo_gone'),
  'late-rate': findEventTime('late_waits'),
  'late-overdue': findEventTime('late_waits'),
  'late-unconfirmed': findEventTime('unconfirmed_too_long'),
  'cancelled-paid': findNoTime,
  'underpaid-over': (order) => order.expired_at,
  'surplus-ready': ({ addressConfirmedAt, lastEvents }) => findLatest(lastEvents.get('overpaid'), addressConfirmedAt),
  surplus: findEventTime('overpaid'),
  'late-confirming': findNoTime,
  'late-no-rate': findNoTime,
  'refund-sent': ({ lastEvents, openRefund }) => lastEvents.get('refund_sent') ?? openRefund?.madeAt,
  immature: findNoTime,
};

/** The most urgent staff task of an order with its start; null if there is none. */
export function findStaffTask(order: OrderForTask): StaffTask | null {
  const kind = findTaskKind(order);
  if (kind === null) return null;
  return { kind, since: SINCE[kind](order) ?? findLastFirstSeen(order.outputs) ?? order.created_at };
}
