/** Losses of an order: double-spent payments, or refunds without cover. */
import { addSats, NO_SATS, subtractSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { hasRefundable } from '#src/shop/payments/ledger/dust.ts';
import {
  COINBASE_MATURITY,
  countConfirmations,
  sumFinalSats,
  computeMinAcceptedSats,
} from '#src/shop/payments/ledger/payment-state.ts';
import {
  sumDoubleSpentSats,
  hasPendingOutput,
  sumPossibleSats,
} from '#src/shop/payments/ledger/double-spent-payments.ts';
import type { OrderLedger, StoredOrder } from '../stored-order.ts';
import { findRefundBlock } from './find-refund-block.ts';
import type { RefundBlock } from './find-refund-block.ts';
import type { FulfilmentStatus, OrderLoss } from '../kinds.ts';
import type { OrderEventKind } from '../order-events.ts';

/** What decides on losses; the caller holds the order's row lock. */
export type OrderForLoss = Pick<
  StoredOrder,
  | 'payment_status'
  | 'due_sats'
  | 'tolerance_sats'
  | 'settled_sats'
  | 'required_confirmations'
  | 'refund_state'
  | 'refund_made_sats'
  | 'refund_sent_sats'
  | 'line_refund_sats'
>;

type LossLedger = Pick<OrderLedger, 'outputs' | 'tip'>;

/** Minimum amount that pays the order. */
const computeMinSatsToPay = ({
  due_sats: dueSats,
  settled_sats: accepted,
  tolerance_sats: toleranceSats,
}: OrderForLoss): Sats => accepted ?? computeMinAcceptedSats({ dueSats, toleranceSats });

/** Whether outputs were double-spent and possible payments no longer cover the amount due. */
export function isPaymentLostForGood(order: OrderForLoss, { outputs, tip }: LossLedger): boolean {
  const required = order.required_confirmations;
  if (sumDoubleSpentSats(outputs, tip, required) === NO_SATS) return false;
  return sumPossibleSats(outputs, tip, required) < computeMinSatsToPay(order);
}

/** Excludes immature coinbase outputs. */
const selectSpendable = ({ outputs, tip }: LossLedger): OrderLedger['outputs'] =>
  outputs.filter((output) => !output.isCoinbase || countConfirmations(output, tip) >= COINBASE_MATURITY);

const isWaiting = ({ payment_status: status }: OrderForLoss): boolean => status === 'pending' || status === 'user_paid';

function refundLoss(order: OrderForLoss, { outputs, tip }: LossLedger): OrderLoss | null {
  const { refund_made_sats: made = NO_SATS, refund_sent_sats: sent = NO_SATS } = order;
  const required = order.required_confirmations;
  const finalSats = sumFinalSats(outputs, tip, required);
  // A surplus refund must leave the amount due, without the units that are refunded.
  const isKept = order.refund_state === null && order.payment_status === 'paid';
  const kept = subtractSats(computeMinSatsToPay(order), order.line_refund_sats ?? NO_SATS);
  const needed = addSats(sent, isKept ? kept : NO_SATS);
  if (sent > 0n && finalSats < needed) {
    return sumPossibleSats(outputs, tip, required) < needed ? 'refund_lost' : 'refund_uncovered';
  }
  return made > 0n && finalSats < addSats(needed, made) ? 'refund_stopped' : null;
}

/**
 * Derives the loss of an order from its ledger; null without one. Pure. A reorganized payment that
 * may return is not a loss yet but the payment state `reorged_out`.
 */
export function computeLoss(order: OrderForLoss, ledger: LossLedger): OrderLoss | null {
  const refunded = refundLoss(order, ledger);
  if (order.refund_state !== null || !isWaiting(order)) return refunded;
  if (!isPaymentLostForGood(order, ledger)) return refunded;
  return hasRefundable(selectSpendable(ledger), order.due_sats) ? 'part_double_spent' : 'double_spent';
}

/** Sats that the shop is missing for a sale or for refunds it sent. */
export function computeLostSats(
  order: OrderForLoss & Pick<OrderInLoss, 'closed_as_loss_of'>,
  { outputs, tip }: LossLedger,
): Sats {
  const { refund_sent_sats: sent = NO_SATS } = order;
  const finalSats = sumFinalSats(outputs, tip, order.required_confirmations);
  const isOpenSale = order.refund_state === null && (order.payment_status === 'paid' || isWaiting(order));
  const isSale = order.closed_as_loss_of === 'payment' || isOpenSale;
  const kept = subtractSats(order.settled_sats ?? order.due_sats, order.line_refund_sats ?? NO_SATS);
  return subtractSats(addSats(sent, isSale ? kept : NO_SATS), finalSats);
}

/**
 * The event of a changed loss; null if another event covers it. Call it with the order after the
 * change.
 */
export function findLossEvent(
  before: OrderLoss | null,
  after: OrderLoss | null,
  order: OrderForLoss,
): OrderEventKind | null {
  if (before === after) return null;
  if (after !== null) return after;
  switch (before) {
    case 'double_spent':
    case 'part_double_spent':
      return isWaiting(order) && order.refund_state === null ? 'double_spend_undone' : null;
    case 'refund_stopped':
      return (order.refund_made_sats ?? NO_SATS) > 0n ? 'refund_resumed' : null;
    case 'refund_uncovered':
    case 'refund_lost':
      return 'refund_covered';
    case null:
      return null;
    default:
      return before satisfies never;
  }
}

/** An order that may be requoted or closed because of a loss. */
export interface OrderInLoss extends OrderForLoss {
  readonly paid_at: Date | null;
  readonly fulfilment_status: FulfilmentStatus;
  readonly returned_sats: Sats;
  /** The loss that staff closed; null or omitted for none. */
  readonly closed_as_loss_of?: 'payment' | 'refund' | null;
}

/** Whether a refund was paid from an order, but not of the whole: then its price is final. */
const isRefundedInPart = ({
  line_refund_sats: lineSats = NO_SATS,
  returned_sats: returnedSats,
}: OrderInLoss): boolean => returnedSats > 0n || lineSats > 0n;

/** Whether the payment of an order was double-spent, and nothing is under way. */
function isPaymentOver(order: OrderInLoss, ledger: LossLedger): boolean {
  const { paid_at: paidAt, payment_status: status, refund_state: refund } = order;
  if (refund !== null || paidAt === null || status !== 'user_paid') return false;
  return (
    isPaymentLostForGood(order, ledger) && !hasPendingOutput(ledger.outputs, ledger.tip, order.required_confirmations)
  );
}

/**
 * Whether a buyer may requote an order whose payment was double-spent. Not possible once a refund
 * was paid from it.
 */
export const isReopenable = (order: OrderInLoss, ledger: LossLedger): boolean =>
  !isRefundedInPart(order) && isPaymentOver(order, ledger);

/** Why a buyer can't requote an order whose payment was double-spent; null if they can, or if it was not. */
export const findReopenRefusal = (order: OrderInLoss, ledger: LossLedger): string | null =>
  isRefundedInPart(order) && isPaymentOver(order, ledger)
    ? 'Part of your payment was refunded, so this order can’t get a new price'
    : null;

/** Whether an order can get a new price: it expired, or its payment was double-spent. */
export const isRequotable = (order: OrderInLoss, ledger: LossLedger): boolean =>
  order.refund_state === null && (order.payment_status === 'expired' || isReopenable(order, ledger));

export type CloseAsLossProblem = 'already-paid' | 'refunded' | 'not-shipped' | 'payment-live' | RefundBlock;

const isRefundLoss = (loss: OrderLoss | null): boolean => loss === 'refund_uncovered' || loss === 'refund_lost';

/** What staff would close as a loss: a refund without cover, otherwise the payment. */
export const selectLossToClose = (order: OrderInLoss, ledger: LossLedger): 'payment' | 'refund' =>
  isRefundLoss(computeLoss(order, ledger)) ? 'refund' : 'payment';

/**
 * Why staff can't close an order as a loss; null if they can. Requires a shipped unpaid order or a
 * refund without cover, and no unconfirmed payment. An unshipped order is cancelled instead.
 */
export function findCloseAsLossProblem(order: OrderInLoss, ledger: LossLedger): CloseAsLossProblem | null {
  if (!isRefundLoss(computeLoss(order, ledger))) {
    if (order.payment_status === 'paid') return 'already-paid';
    if (order.payment_status === 'refunded') return 'refunded';
    const frozen = findRefundBlock(order.refund_state);
    if (frozen !== null) return frozen;
    if (order.fulfilment_status === 'unfulfilled') return 'not-shipped';
  }
  return hasPendingOutput(ledger.outputs, ledger.tip, order.required_confirmations) ? 'payment-live' : null;
}

/** Whether a closed loss is now covered by payments. */
export function isLossReversed(order: OrderInLoss, ledger: LossLedger): boolean {
  if (order.closed_as_loss_of === 'payment') return order.payment_status === 'paid';
  return order.closed_as_loss_of === 'refund' && !isRefundLoss(computeLoss(order, ledger));
}
