/** Which actions of buyer, staff, time or chain bring an order to its end. */
import { refuseGivingUp } from '#src/shop/orders/status/refuse-giving-up.ts';
import { refuseRelease } from '#src/shop/orders/status/refuse-release.ts';
import { refuseSettling } from '#src/shop/orders/status/refuse-settling.ts';
import { deepReceived, evaluateOrder, refuseCancel } from '#src/shop/orders/status/evaluate-order.ts';
import type { OrderBook, StoredOrder } from '#src/shop/orders/stored-order.ts';
import { isReopenable, lossOf, refuseClosingAsLoss } from '#src/shop/orders/status/order-loss.ts';
import type { OrderInLoss } from '#src/shop/orders/status/order-loss.ts';
import { subtractSats } from '#src/shop/money.ts';
import { LEAST_REFUND_SATS } from '#src/shop/payments/ledger/least-refund.ts';
import { isUnderWay } from '#src/shop/payments/ledger/lost-payments.ts';
import { asClaimed, debited, isCovered, receivedDeep, refuseRefund } from './refundable.ts';
import type { RefundPosition, WhereTo } from './refundable.ts';
import { decideWriteOff } from './manual/write-off.ts';

type StaffExit =
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

export type Exit =
  | { readonly by: 'buyer'; readonly action: 'requote' | 'cancel' | 'name-address' | 'pay' }
  | { readonly by: 'staff'; readonly action: StaffExit }
  /** The window ends; an address that staff entered counts; a late payment is looked at again with every rate. */
  | { readonly by: 'time'; readonly action: 'expire' | 'address-counts' | 'accept-late' }
  | { readonly by: 'chain'; readonly action: 'confirm' | 'drop' };

export interface OrderToEnd {
  readonly order: StoredOrder & OrderInLoss;
  readonly book: OrderBook;
  readonly position: RefundPosition;
  /** Where money goes back, and since when that is known; null while it is not. */
  readonly address: (WhereTo & { readonly setAt: Date }) | null;
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
export function isEnded({ order, book, position }: OrderToEnd): boolean {
  const loss = lossOf(order, book);
  if (openRefundOf(position) !== null || isUnderWay(book.outputs, book.tip, order.required_confirmations)) return false;
  if ((order.closed_as_loss_of ?? null) !== null) return true;
  if (loss !== null) return false;
  if (order.payment_status === 'paid') return true;
  // What is left and no address may be sent stays where it is.
  const isNothingLeft = subtractSats(receivedDeep(position), debited(position.debits)) < LEAST_REFUND_SATS;
  const isClosed = order.payment_status === 'refunded' || order.payment_status === 'cancelled';
  if (isClosed || order.refund_state === 'written_off') return isNothingLeft;
  return order.payment_status === 'expired' && isNothingLeft && order.fulfilment_status === 'unfulfilled';
}

function lacksAddress(position: RefundPosition, address: WhereTo | null): boolean {
  const why = refuseRefund('whole', position, address);
  return why === 'no-address' || why === 'address-not-confirmed';
}

function buyerExits({ order, book, position, address }: OrderToEnd): readonly Exit[] {
  const exits: Exit[] = [];
  const isExpired = order.payment_status === 'expired' && order.refund_state === null;
  if (isExpired || isReopenable(order, book)) exits.push({ by: 'buyer', action: 'requote' });
  if (refuseCancel(order, book) === null) exits.push({ by: 'buyer', action: 'cancel' });
  if (order.is_open) exits.push({ by: 'buyer', action: 'pay' });
  // A buyer names no address for an order that was refunded: staff enter it.
  if (lacksAddress(position, address) && order.payment_status !== 'refunded')
    exits.push({ by: 'buyer', action: 'name-address' });
  return exits;
}

function staffExits(one: OrderToEnd): readonly Exit[] {
  const { order, book, position } = one;
  const exits: Exit[] = [];
  const { receivedSats: received } = evaluateOrder(order, book);
  const settling = refuseSettling(order, { received, deep: deepReceived(order, book) });
  if (settling.ok) exits.push({ by: 'staff', action: 'settle' });
  if (refuseGivingUp(order, book) === null) exits.push({ by: 'staff', action: 'give-up' });
  if (refuseClosingAsLoss(order, book) === null) exits.push({ by: 'staff', action: 'close-as-loss' });
  if (refuseRelease(order, book) === null) exits.push({ by: 'staff', action: 'release-stock' });
  exits.push(...staffRefundExits(one));
  if (openRefundOf(position) !== 'made') return exits;
  exits.push({ by: 'staff', action: 'withdraw-refund' });
  const covers = order.refund_state === null ? 'surplus' : 'whole';
  if (isCovered(covers, position)) exits.push({ by: 'staff', action: 'send-refund' });
  return exits;
}

/** What staff can do with money that nobody has on its way. */
function staffRefundExits(one: OrderToEnd): readonly Exit[] {
  const { order, position, address, lastReopenedAt, now, unclaimedAfterDays } = one;
  const exits: Exit[] = [];
  const why = refuseRefund('whole', position, address);
  if (why === null) exits.push({ by: 'staff', action: 'refund' });
  if (why === 'no-address' || why === 'address-not-confirmed') exits.push({ by: 'staff', action: 'enter-address' });
  const elsewhere: WhereTo = { standing: 'confirmed', dustSats: 1n };
  if (refuseRefund('whole', asClaimed(position), elsewhere) === null)
    exits.push({ by: 'staff', action: 'record-elsewhere' });
  const isUsable = address !== null && (address.standing === 'confirmed' || address.standing === 'entered');
  const closed = [order.expired_at, order.cancelled_at, order.payment_status === 'paid' ? order.paid_at : null];
  const unclaimed = { refunds: position, closed, address: address && { ...address, isUsable }, lastReopenedAt };
  if (decideWriteOff(unclaimed, now, unclaimedAfterDays).ok) exits.push({ by: 'staff', action: 'write-off' });
  return exits;
}

/** Every action that is possible now and leads on from the state of an order. */
export function exitsOf(one: OrderToEnd): readonly Exit[] {
  const { order, book, position, address } = one;
  const exits = [...buyerExits(one), ...staffExits(one)];
  if (order.is_open) exits.push({ by: 'time', action: 'expire' });
  if (refuseRefund('whole', position, address) === 'address-waits')
    exits.push({ by: 'time', action: 'address-counts' });
  const { isCoveredDeep, state } = evaluateOrder(order, book);
  if (state === 'late' && isCoveredDeep && order.cancelled_at === null)
    exits.push({ by: 'time', action: 'accept-late' });
  if (isUnderWay(book.outputs, book.tip, order.required_confirmations) || openRefundOf(position) === 'sent')
    exits.push({ by: 'chain', action: 'confirm' }, { by: 'chain', action: 'drop' });
  return exits;
}
