/** Which actions of buyer, staff, time or chain bring an order to its end. */
import { findCancelUnpayableProblem } from '#src/shop/orders/status/find-cancel-unpayable-problem.ts';
import { findReleaseProblem } from '#src/shop/orders/status/find-release-problem.ts';
import { decideAcceptAsPaid } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import { sumFinalForOrder, evaluateOrder, findCancelProblem } from '#src/shop/orders/status/evaluate-order.ts';
import type { OrderLedger, StoredOrder } from '#src/shop/orders/stored-order.ts';
import { isReopenable, computeLoss, findCloseAsLossProblem } from '#src/shop/orders/status/order-loss.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import { subtractSats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { hasPendingOutput } from '#src/shop/payments/ledger/double-spent-payments.ts';
import { withoutWriteOffs, sumDebits, isCovered, sumFinalForRefund, findRefundProblem } from './refundable.ts';
import type { RefundPosition, RefundDestination } from './refundable.ts';
import { decideWriteOff } from './manual/write-off.ts';

type StaffOrderAction =
  | 'settle'
  | 'give-up'
  | 'close-as-loss'
  | 'release-stock'
  | 'refund'
  | 'withdraw-refund'
  | 'send-refund'
  | 'record-elsewhere'
  | 'enter-address'
  | 'write-off';

export type NextAction =
  | { readonly by: 'buyer'; readonly action: 'requote' | 'cancel' | 'name-address' | 'pay' }
  | { readonly by: 'staff'; readonly action: StaffOrderAction }
  /** The window ends; an address that staff entered counts; a late payment is looked at again with every rate. */
  | { readonly by: 'time'; readonly action: 'expire' | 'address-counts' | 'accept-late' }
  | { readonly by: 'chain'; readonly action: 'confirm' | 'drop' };

export interface OrderForActions {
  readonly order: StoredOrder & OrderInLoss;
  readonly ledger: OrderLedger;
  readonly position: RefundPosition;
  /** Where money goes back, and since when that is known; null while it is not. */
  readonly address: (RefundDestination & { readonly setAt: Date }) | null;
  /** When unclaimed money was last claimed after a write-off; null for never. */
  readonly lastReopenedAt: Date | null;
  readonly now: Date;
  readonly unclaimedAfterDays: number;
}

const openRefundOf = ({ debits }: RefundPosition): 'made' | 'sent' | null => {
  const open = debits.find(({ state }) => state === 'made' || state === 'sent');
  return open?.state === 'made' || open?.state === 'sent' ? open.state : null;
};

/**
 * Whether nothing is left to be decided or awaited: paid, closed as a loss, or over with no money of the buyer left. A
 * paid order may still owe a surplus, which its buyer can have as long as it is there.
 */
export function isFinal({ order, ledger, position }: OrderForActions): boolean {
  const loss = computeLoss(order, ledger);
  if (openRefundOf(position) !== null || hasPendingOutput(ledger.outputs, ledger.tip, order.required_confirmations))
    return false;
  if ((order.closed_as_loss_of ?? null) !== null) return true;
  if (loss !== null) return false;
  if (order.payment_status === 'paid') return true;
  // What is left and no address may be sent stays where it is.
  const isNothingLeft = subtractSats(sumFinalForRefund(position), sumDebits(position.debits)) < MIN_REFUND_SATS;
  const isClosed = order.payment_status === 'refunded' || order.payment_status === 'cancelled';
  if (isClosed || order.refund_state === 'written_off') return isNothingLeft;
  return order.payment_status === 'expired' && isNothingLeft && order.fulfilment_status === 'unfulfilled';
}

function isAddressMissing(position: RefundPosition, address: RefundDestination | null): boolean {
  const why = findRefundProblem('whole', position, address);
  return why === 'no-address' || why === 'address-not-confirmed';
}

function listBuyerActions({ order, ledger, position, address }: OrderForActions): readonly NextAction[] {
  const exits: NextAction[] = [];
  const isExpired = order.payment_status === 'expired' && order.refund_state === null;
  if (isExpired || isReopenable(order, ledger)) exits.push({ by: 'buyer', action: 'requote' });
  if (findCancelProblem(order, ledger) === null) exits.push({ by: 'buyer', action: 'cancel' });
  if (order.is_open) exits.push({ by: 'buyer', action: 'pay' });
  // A buyer names no address for an order that was refunded: staff enter it.
  if (isAddressMissing(position, address) && order.payment_status !== 'refunded')
    exits.push({ by: 'buyer', action: 'name-address' });
  return exits;
}

function listStaffActions(one: OrderForActions): readonly NextAction[] {
  const { order, ledger, position } = one;
  const exits: NextAction[] = [];
  const { receivedSats } = evaluateOrder(order, ledger);
  const settling = decideAcceptAsPaid(order, {
    receivedSats,
    finalSats: sumFinalForOrder(order, ledger),
  });
  if (settling.ok) exits.push({ by: 'staff', action: 'settle' });
  if (findCancelUnpayableProblem(order, ledger) === null) exits.push({ by: 'staff', action: 'give-up' });
  if (findCloseAsLossProblem(order, ledger) === null) exits.push({ by: 'staff', action: 'close-as-loss' });
  if (findReleaseProblem(order, ledger) === null) exits.push({ by: 'staff', action: 'release-stock' });
  exits.push(...listStaffRefundActions(one));
  if (openRefundOf(position) !== 'made') return exits;
  exits.push({ by: 'staff', action: 'withdraw-refund' });
  const covers = order.refund_state === null ? 'surplus' : 'whole';
  if (isCovered(covers, position)) exits.push({ by: 'staff', action: 'send-refund' });
  return exits;
}

/** What staff can do with money that nobody has on its way. */
function listStaffRefundActions(one: OrderForActions): readonly NextAction[] {
  const { order, position, address, lastReopenedAt, now, unclaimedAfterDays } = one;
  const exits: NextAction[] = [];
  const why = findRefundProblem('whole', position, address);
  if (why === null) exits.push({ by: 'staff', action: 'refund' });
  if (why === 'no-address' || why === 'address-not-confirmed') exits.push({ by: 'staff', action: 'enter-address' });
  const elsewhere: RefundDestination = { status: 'confirmed', dustSats: 1n };
  if (findRefundProblem('whole', withoutWriteOffs(position), elsewhere) === null)
    exits.push({ by: 'staff', action: 'record-elsewhere' });
  const isUsable = address !== null && (address.status === 'confirmed' || address.status === 'entered');
  const closed = [order.expired_at, order.cancelled_at, order.payment_status === 'paid' ? order.paid_at : null];
  const unclaimed = { refunds: position, closed, address: address && { ...address, isUsable }, lastReopenedAt };
  if (decideWriteOff(unclaimed, now, unclaimedAfterDays).ok) exits.push({ by: 'staff', action: 'write-off' });
  return exits;
}

/** Every action that is possible now and leads on from the state of an order. */
export function listNextActions(one: OrderForActions): readonly NextAction[] {
  const { order, ledger, position, address } = one;
  const exits = [...listBuyerActions(one), ...listStaffActions(one)];
  if (order.is_open) exits.push({ by: 'time', action: 'expire' });
  if (findRefundProblem('whole', position, address) === 'address-waits')
    exits.push({ by: 'time', action: 'address-counts' });
  const { isCoveredByFinal, state } = evaluateOrder(order, ledger);
  if (state === 'late' && isCoveredByFinal && order.cancelled_at === null)
    exits.push({ by: 'time', action: 'accept-late' });
  if (hasPendingOutput(ledger.outputs, ledger.tip, order.required_confirmations) || openRefundOf(position) === 'sent')
    exits.push({ by: 'chain', action: 'confirm' }, { by: 'chain', action: 'drop' });
  return exits;
}
