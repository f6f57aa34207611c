/** Lists the actions of buyer, staff, time or chain that move an order towards its end. */
import { findStaffCancelProblem } from '#src/shop/orders/status/find-staff-cancel-problem.ts';
import { findReleaseProblem } from '#src/shop/orders/status/find-release-problem.ts';
import { decideAcceptAsPaid } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import { sumFinalForOrder, evaluateOrder, findCancelProblem } from '#src/shop/orders/status/evaluate-order.ts';
import type { OrderLedger, StoredOrder } from '#src/shop/orders/stored-order.ts';
import { isReopenable, computeLoss, findCloseAsLossProblem } from '#src/shop/orders/status/order-loss.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import { subtractSats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { hasPendingOutput } from '#src/shop/payments/ledger/double-spent-payments.ts';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import { omitWriteOffs, sumDebits, isCovered, sumFinalForRefund, findRefundProblem } from './refundable.ts';
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
  /**
   * `expire`: the window ends. `address-counts`: the objection period ends. `accept-late`: a later
   * rate may accept a late payment.
   */
  | { readonly by: 'time'; readonly action: 'expire' | 'address-counts' | 'accept-late' }
  | { readonly by: 'chain'; readonly action: 'confirm' | 'drop' };

export interface OrderForActions {
  readonly order: StoredOrder & OrderInLoss;
  readonly ledger: OrderLedger;
  readonly position: RefundPosition;
  /** The refund address and since when it is set; null if there is none. */
  readonly address: (RefundDestination & { readonly setAt: Date }) | null;
  /** When a write-off was last reopened; null for never. */
  readonly lastReopenedAt: Date | null;
  readonly now: Date;
  readonly unclaimedAfterDays: number;
}

const findOpenDebit = ({ debits }: RefundPosition) => debits.find(({ state }) => state === 'made' || state === 'sent');

const findOpenRefund = (position: RefundPosition): 'made' | 'sent' | null => {
  const open = findOpenDebit(position);
  return open?.state === 'made' || open?.state === 'sent' ? open.state : null;
};

/**
 * Whether no action is left: paid, closed as a loss, or closed without money of the buyer. A paid
 * order may still have a surplus to refund.
 */
export function isFinal({ order, ledger, position }: OrderForActions): boolean {
  const loss = computeLoss(order, ledger);
  if (findOpenRefund(position) !== null || hasPendingOutput(ledger.outputs, ledger.tip, order.required_confirmations))
    return false;
  if ((order.closed_as_loss_of ?? null) !== null) return true;
  if (loss !== null) return false;
  if (order.payment_status === 'paid') return true;
  // An amount below the dust limit can't be refunded.
  const isNothingLeft = subtractSats(sumFinalForRefund(position), sumDebits(position.debits)) < MIN_REFUND_SATS;
  const isClosed = order.payment_status === 'refunded' || order.payment_status === 'cancelled';
  if (isClosed || order.refund_state === 'written_off') return isNothingLeft;
  return order.payment_status === 'expired' && isNothingLeft && order.fulfilment_status === 'unfulfilled';
}

function isAddressMissing(position: RefundPosition, address: RefundDestination | null): boolean {
  const problem = findRefundProblem('whole', position, address);
  return problem === 'no-address' || problem === 'address-not-confirmed';
}

function listBuyerActions({ order, ledger, position, address }: OrderForActions): readonly NextAction[] {
  const actions: NextAction[] = [];
  const isExpired = order.payment_status === 'expired' && order.refund_state === null;
  if (isExpired || isReopenable(order, ledger)) actions.push({ by: 'buyer', action: 'requote' });
  if (findCancelProblem(order, ledger) === null) actions.push({ by: 'buyer', action: 'cancel' });
  if (order.is_open) actions.push({ by: 'buyer', action: 'pay' });
  if (isAddressMissing(position, address)) actions.push({ by: 'buyer', action: 'name-address' });
  return actions;
}

function listStaffActions(input: OrderForActions): readonly NextAction[] {
  const { order, ledger, position } = input;
  const actions: NextAction[] = [];
  const { receivedSats } = evaluateOrder(order, ledger);
  const acceptance = decideAcceptAsPaid(order, {
    receivedSats,
    finalSats: sumFinalForOrder(order, ledger),
  });
  if (acceptance.ok) actions.push({ by: 'staff', action: 'settle' });
  if (findStaffCancelProblem(order, ledger) === null) actions.push({ by: 'staff', action: 'give-up' });
  if (findCloseAsLossProblem(order, ledger) === null) actions.push({ by: 'staff', action: 'close-as-loss' });
  if (findReleaseProblem(order, ledger) === null) actions.push({ by: 'staff', action: 'release-stock' });
  actions.push(...listStaffRefundActions(input));
  if (findOpenRefund(position) !== 'made') return actions;
  actions.push({ by: 'staff', action: 'withdraw-refund' });
  const open = findOpenDebit(position);
  if (open !== undefined && isCovered(open.covers, position)) actions.push({ by: 'staff', action: 'send-refund' });
  return actions;
}

/** Staff actions for money that is not in an open refund. */
function listStaffRefundActions(input: OrderForActions): readonly NextAction[] {
  const { order, position, address, lastReopenedAt, now, unclaimedAfterDays } = input;
  const actions: NextAction[] = [];
  const problem = findRefundProblem('whole', position, address);
  if (problem === null) actions.push({ by: 'staff', action: 'refund' });
  if (problem === 'no-address' || problem === 'address-not-confirmed')
    actions.push({ by: 'staff', action: 'enter-address' });
  const elsewhere: RefundDestination = { status: 'confirmed', dustSats: 1n };
  if (findRefundProblem('whole', omitWriteOffs(position), elsewhere) === null)
    actions.push({ by: 'staff', action: 'record-elsewhere' });
  const isUsable = address !== null && (address.status === 'confirmed' || address.status === 'entered');
  const closed = [order.expired_at, order.cancelled_at, order.payment_status === 'paid' ? order.paid_at : null];
  const unclaimed = { refunds: position, closed, address: address && { ...address, isUsable }, lastReopenedAt };
  if (decideWriteOff(unclaimed, now, unclaimedAfterDays).ok) actions.push({ by: 'staff', action: 'write-off' });
  return actions;
}

/** All actions that are possible now. */
export function listNextActions(input: OrderForActions): readonly NextAction[] {
  const { order, ledger, position, address } = input;
  const actions = [...listBuyerActions(input), ...listStaffActions(input)];
  if (order.is_open) actions.push({ by: 'time', action: 'expire' });
  if (findRefundProblem('whole', position, address) === 'address-waits')
    actions.push({ by: 'time', action: 'address-counts' });
  const { isCoveredByFinal, state } = evaluateOrder(order, ledger);
  if (isLateState(state) && isCoveredByFinal && order.cancelled_at === null)
    actions.push({ by: 'time', action: 'accept-late' });
  if (hasPendingOutput(ledger.outputs, ledger.tip, order.required_confirmations) || findOpenRefund(position) === 'sent')
    actions.push({ by: 'chain', action: 'confirm' }, { by: 'chain', action: 'drop' });
  return actions;
}
