/** What an order has lost: coins of its payment that were spent otherwise, or refunds that nothing covers. */
import { addSats, NO_SATS, subtractSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { hasRefundable } from '#src/shop/payments/ledger/dust.ts';
import {
  COINBASE_MATURITY,
  countConfirmations,
  sumFinalSats,
  minAcceptedSats,
} from '#src/shop/payments/ledger/payment-state.ts';
import {
  sumDoubleSpentSats,
  hasPendingOutput,
  sumPossibleSats,
} from '#src/shop/payments/ledger/double-spent-payments.ts';
import type { OrderLedger, StoredOrder } from '../stored-order.ts';
import { findRefundBlock } from './find-refund-block.ts';
import type { RefundBlock } from './find-refund-block.ts';
import type { FulfilmentStatus, OrderLoss, OrderEventKind } from '../kinds.ts';

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
>;

type Book = Pick<OrderLedger, 'outputs' | 'tip'>;

/** The least that pays it. */
const minSatsToPay = ({
  due_sats: dueSats,
  settled_sats: settled,
  tolerance_sats: toleranceSats,
}: OrderForLoss): Sats => settled ?? minAcceptedSats({ dueSats, toleranceSats });

/** Whether a part of the payment left for good, and what may still come does not cover what is due. */
export function isPaymentLostForGood(order: OrderForLoss, { outputs, tip }: Book): boolean {
  const required = order.required_confirmations;
  if (sumDoubleSpentSats(outputs, tip, required) === NO_SATS) return false;
  return sumPossibleSats(outputs, tip, required) < minSatsToPay(order);
}

/** Without the coins of a miner that do not count yet. */
const selectSpendable = ({ outputs, tip }: Book): OrderLedger['outputs'] =>
  outputs.filter((output) => !output.isCoinbase || countConfirmations(output, tip) >= COINBASE_MATURITY);

const isWaiting = ({ payment_status: status }: OrderForLoss): boolean => status === 'pending' || status === 'user_paid';

function refundLoss(order: OrderForLoss, { outputs, tip }: Book): OrderLoss | null {
  const { refund_made_sats: made = NO_SATS, refund_sent_sats: sent = NO_SATS } = order;
  const required = order.required_confirmations;
  const deep = sumFinalSats(outputs, tip, required);
  // A refund of a surplus leaves what is due alone.
  const isKept = order.refund_state === null && order.payment_status === 'paid';
  const needed = addSats(sent, isKept ? minSatsToPay(order) : NO_SATS);
  if (sent > 0n && deep < needed) {
    return sumPossibleSats(outputs, tip, required) < needed ? 'refund_lost' : 'refund_uncovered';
  }
  return made > 0n && deep < addSats(needed, made) ? 'refund_stopped' : null;
}

/**
 * What an order has lost by its ledger; null for nothing. A pure function of the ledger, the tip, the quote and the
 * order's refunds. A payment that a reorganisation took back and that may come back is no loss yet: the payment state
 * `reorged_out` tells of it.
 */
export function computeLoss(order: OrderForLoss, book: Book): OrderLoss | null {
  const refunded = refundLoss(order, book);
  if (order.refund_state !== null || !isWaiting(order)) return refunded;
  if (!isPaymentLostForGood(order, book)) return refunded;
  return hasRefundable(selectSpendable(book), order.due_sats) ? 'part_double_spent' : 'double_spent';
}

/** Sats that the shop is short of: of what is due for what it has sold, or of what it has sent back. */
export function computeLostSats(
  order: OrderForLoss & Pick<OrderInLoss, 'closed_as_loss_of'>,
  { outputs, tip }: Book,
): Sats {
  const { refund_sent_sats: sent = NO_SATS } = order;
  const deep = sumFinalSats(outputs, tip, order.required_confirmations);
  const isOpenSale = order.refund_state === null && (order.payment_status === 'paid' || isWaiting(order));
  const isSale = order.closed_as_loss_of === 'payment' || isOpenSale;
  return subtractSats(addSats(sent, isSale ? (order.settled_sats ?? order.due_sats) : NO_SATS), deep);
}

/**
 * The event of a change from the loss that was last reported; null where something else reports it, or nothing changed.
 * Run with the order as it is after the change.
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
    default:
      return before;
  }
}

/** An order that its buyer, or staff, may end because of a loss. */
export interface OrderInLoss extends OrderForLoss {
  readonly paid_at: Date | null;
  readonly fulfilment_status: FulfilmentStatus;
  readonly returned_sats: Sats;
  /** What staff have closed as a loss; null or left out for nothing. */
  readonly closed_as_loss_of?: 'payment' | 'refund' | null;
}

/**
 * Whether its buyer may have an order quoted again whose payment was lost for good: it then waits for another payment, as
 * an order that was never paid. What a refund has taken of it makes that impossible.
 */
export function isReopenable(order: OrderInLoss, book: Book): boolean {
  const { paid_at: paidAt, payment_status: status, refund_state: refund, returned_sats: returned } = order;
  if (refund !== null || returned > 0n || paidAt === null || status !== 'user_paid') return false;
  return isPaymentLostForGood(order, book) && !hasPendingOutput(book.outputs, book.tip, order.required_confirmations);
}

export type CloseAsLossProblem = 'already-paid' | 'refunded' | 'not-shipped' | 'payment-live' | RefundBlock;

const isRefundLoss = (loss: OrderLoss | null): boolean => loss === 'refund_uncovered' || loss === 'refund_lost';

/** What an order would be closed as a loss of: what was sent back without cover, else its payment. */
export const selectLossToClose = (order: OrderInLoss, book: Book): 'payment' | 'refund' =>
  isRefundLoss(computeLoss(order, book)) ? 'refund' : 'payment';

/**
 * Why staff can't close an order as a loss; null when they can. What was sent and is not paid can be closed, and what was
 * refunded without cover; while something is on its way it is waited for. An order that was not sent is given up instead.
 */
export function findCloseAsLossProblem(order: OrderInLoss, book: Book): CloseAsLossProblem | null {
  if (!isRefundLoss(computeLoss(order, book))) {
    if (order.payment_status === 'paid') return 'already-paid';
    if (order.payment_status === 'refunded') return 'refunded';
    const frozen = findRefundBlock(order.refund_state);
    if (frozen !== null) return frozen;
    if (order.fulfilment_status === 'unfulfilled') return 'not-shipped';
  }
  return hasPendingOutput(book.outputs, book.tip, order.required_confirmations) ? 'payment-live' : null;
}

/** Whether an order that was closed as a loss is none after all: it is paid, or what was sent back is covered. */
export function isLossReversed(order: OrderInLoss, book: Book): boolean {
  if (order.closed_as_loss_of === 'payment') return order.payment_status === 'paid';
  return order.closed_as_loss_of === 'refund' && !isRefundLoss(computeLoss(order, book));
}
