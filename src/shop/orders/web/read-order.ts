import type { Order } from '../contract.ts';
import { isConfirming, isDust } from '../status/payment-messages.ts';
import type { LowFee, PaymentToDescribe, RefundRoute } from '../status/payment-message.ts';
import { isLateState, isReorgedState, isWholeRefund } from '#src/shop/payments/ledger/payment-state.ts';
import { readAmount } from '#src/shop/payments/web/qr-content.ts';
import { listChargeRows, listIncludedRows } from '#src/shop/cart/charge-rows.ts';
import { formatExactBtc, subtractBtc } from '#src/shop/payments/ledger/exact-amounts.ts';
import type { Timeline } from '../timeline/contract.ts';

/** Fields of an order that its payment messages depend on. */
export type PayableOrder = Pick<Order, 'payment_status' | 'payment'> &
  Partial<Pick<Order, 'fulfilment_status' | 'is_briefly_reserved'>>;

export const isOpen = ({ payment_status: status }: Pick<Order, 'payment_status'>): boolean =>
  status === 'pending' || status === 'user_paid';

/** Its payment or a part was double-spent and nothing is unconfirmed, so it can be requoted. */
export function isPaymentLostForGood({ payment_status: status, payment }: PayableOrder): boolean {
  const { loss, required_confirmations: required, returned_btc: returned, state, transactions } = payment;
  const isLost = loss === 'double_spent' || loss === 'part_double_spent';
  const isQuiet = transactions.every(
    ({ amount_btc: amount, confirmations }) => confirmations >= required || isDust(amount),
  );
  return isLost && isQuiet && status === 'user_paid' && isReorgedState(state) && returned === 0;
}

/** An unsent refund is not covered by confirmed payments. */
export const isRefundStopped = ({ payment: { loss, state } }: Pick<Order, 'payment'>): boolean =>
  loss === 'refund_stopped' || isReorgedState(state);

/** The buyer may cancel: at most dust is live, and it was never paid or was double-spent. */
export const isCancellable = (order: PayableOrder): boolean =>
  (isOpen(order) || order.payment_status === 'expired') &&
  (order.fulfilment_status ?? 'unfulfilled') === 'unfulfilled' &&
  order.payment.transactions.every(({ amount_btc: amount }) => isDust(amount)) &&
  order.payment.received_btc < order.payment.amount_btc &&
  (!isReorgedState(order.payment.state) || isPaymentLostForGood(order));

/**
 * The buyer may requote: after expiry (a late payment only if just its price blocks it) or after a
 * double spend.
 */
export function isRequotable(
  order: PayableOrder,
  { late_because: lateBecause, requote_refusal: refusal }: Pick<Timeline, 'late_because' | 'requote_refusal'>,
): boolean {
  if (refusal !== null) return false;
  if (isPaymentLostForGood(order)) return true;
  const { payment_status: status, payment } = order;
  const { state } = payment;
  if (status !== 'expired' || isWholeRefund(state)) return false;
  return !isLateState(state) || lateBecause === 'rate' || lateBecause === 'too-late';
}

/** The buyer should send a payment. */
export const isPayable = (
  order: Pick<Order, 'payment_status'> & { readonly payment: Pick<Order['payment'], 'bip21'> },
): boolean => isOpen(order) && order.payment.bip21 !== null;

/** The countdown is shown: the order waits for money, and not only for confirmations. */
export const hasCountdown = (
  order: Pick<Order, 'payment_status'> & { readonly payment: Pick<Order['payment'], 'bip21' | 'state'> },
): boolean => isPayable(order) && !isConfirming(order);

/**
 * An exchange took the whole price, and what was received beyond it is not refunded. A credit needs no address, so the
 * buyer may have entered none.
 */
export const isRestOwed = (
  { payment_status: status, payment }: PayableOrder,
  { refunds }: Pick<Timeline, 'refunds'>,
): boolean =>
  status === 'refunded' &&
  refunds.some(({ is_credit: isCredit }) => isCredit) &&
  refunds.every(({ covers, is_credit: isCredit }) => isCredit || covers === 'lines' || covers === 'amount') &&
  !isDust(computeSurplus(payment) ?? 0);

/** A refund above the dust limit may be owed. */
export function mayOweMoney({ payment_status: status, payment }: PayableOrder): boolean {
  const { confirmations, required_confirmations: required, state } = payment;
  if (payment.loss === 'part_double_spent' && isReorgedState(state)) return true;
  switch (state) {
    // Also before it is final: its text asks for an address.
    case 'seen':
    case 'confirming':
    case 'overpaid':
      return !isDust(computeSurplus(payment) ?? 0);
    case 'written_off':
      return !isDust(payment.received_btc);
    case 'late':
      return status === 'cancelled' || confirmations >= required;
    case 'underpaid':
      return status === 'cancelled' || status === 'expired';
    case 'awaiting':
    case 'paid':
    case 'expired':
    case 'replaced':
    case 'dropped':
    case 'reorged_out':
    case 'refunding':
    case 'refunded':
      return false;
    default:
      return state satisfies never;
  }
}

/** Refund destination, by refunds and timeline. */
function selectRefundRoute({ refunds, timeline }: Pick<Timeline, 'refunds' | 'timeline'>): RefundRoute {
  if (refunds.some(({ state }) => state === 'made' || state === 'sent')) return 'going';
  const refundAddressEvent = timeline.findLast(({ kind }) => kind.startsWith('refund_address'));
  if (refundAddressEvent === undefined) return 'unknown';
  if (refundAddressEvent.kind === 'refund_address_entered') return 'entered';
  return refundAddressEvent.kind === 'refund_address_confirmed' ? 'known' : 'named';
}

/** Facts about a payment beyond the order. */
export type TimelineFacts = Pick<
  PaymentToDescribe,
  'refundRoute' | 'isExchanged' | 'minRefundBtc' | 'lateReason' | 'missingAtPresentRateBtc' | 'requoteRefusal'
>;

/** Facts from the timeline; the pay page has fewer. */
export function readTimelineFacts(
  orderTimeline: Pick<Timeline, 'late_because' | 'next_quote' | 'requote_refusal'> &
    Partial<Pick<Timeline, 'refunds' | 'refund_least_btc' | 'timeline'>>,
): TimelineFacts {
  const {
    late_because: lateBecause,
    next_quote: next,
    refunds,
    refund_least_btc: leastBackBtc,
    requote_refusal: requoteRefusal,
    timeline,
  } = orderTimeline;
  return {
    refundRoute: refunds && timeline && selectRefundRoute({ refunds, timeline }),
    isExchanged: refunds !== undefined && refunds.length > 0 && refunds.every(({ is_credit: isCredit }) => isCredit),
    minRefundBtc: leastBackBtc,
    lateReason: lateBecause,
    requoteRefusal,
    missingAtPresentRateBtc: formatAmount(next?.missing_btc ?? null),
  };
}

/** Surplus not refunded yet, in BTC; null for none. */
function computeSurplus({
  received_btc: received,
  amount_btc: due,
  returned_btc: returned,
}: Order['payment']): number | null {
  const surplus = subtractBtc(subtractBtc(received, due), returned);
  return surplus > 0 ? surplus : null;
}

const formatAmount = (btc: number | null): string | null => (btc === null || btc === 0 ? null : formatExactBtc(btc));

/** The lowest fee among unconfirmed payments, if it is low. */
function findLowFee({ day_fee_rate: day, transactions }: Order['payment']): LowFee | null {
  const paid = transactions.flatMap(({ fee_rate: rate, is_fee_low: isLow }) => (isLow && rate !== null ? rate : []));
  return day === null || paid.length === 0 ? null : { paid: Math.min(...paid), day };
}

/** Converts an order's payment for its messages. */
export function readPayment(
  { payment_status: status, fulfilment_status: fulfilment, payment }: PayableOrder,
  hasCode: boolean,
  facts: TimelineFacts = {},
): PaymentToDescribe {
  return {
    status,
    state: payment.state,
    loss: payment.loss,
    confirmations: payment.confirmations,
    required: payment.required_confirmations,
    receivedBtc: formatAmount(payment.received_btc),
    missingBtc: formatAmount(payment.bip21 === null ? null : readAmount(payment.bip21)),
    surplusBtc: formatAmount(computeSurplus(payment)),
    returnedBtc: formatAmount(payment.returned_btc),
    isSeenInTime: payment.seen_in_time,
    shortBtc: formatAmount(payment.short_btc),
    lowFee: findLowFee(payment),
    immatureBlocks: Math.max(...payment.transactions.map(({ immature_blocks: left }) => left), 0) || null,
    isFree: payment.amount_btc === 0,
    hasCredit: payment.transactions.some(({ is_credit: isCredit }) => isCredit),
    hasCode,
    fulfilment,
    ...facts,
  };
}

/** Shipping and tax of an order, as rows above and below its total. */
export const listOrderCharges = ({ shipping_btc: btc, shipping_usd: usd, tax }: Order) => ({
  rows: listChargeRows({ shipping: { usd, btc }, tax }),
  included: listIncludedRows(tax),
});
