/**
 * Actions of buyer and staff on the simulated order; each returns whether the shop's rules
 * allowed it.
 */
import { findFulfilmentProblem } from '#src/shop/orders/fulfilment/find-fulfilment-problem.ts';
import { findStaffCancelProblem, describeStaffCancel } from '#src/shop/orders/status/find-staff-cancel-problem.ts';
import { isAddressChangeable } from '#src/shop/orders/desk/find-address-problem.ts';
import { findRefundBlock } from '#src/shop/orders/status/find-refund-block.ts';
import { findReleaseProblem } from '#src/shop/orders/status/find-release-problem.ts';
import { decideAcceptAsPaid, createAcceptanceDetails } from '#src/shop/orders/status/decide-accept-as-paid.ts';
import {
  cancelWithLedger,
  sumFinalForOrder,
  evaluateOrder,
  expireWithLedger,
  createAmountDetails,
  findCancelProblem,
  acceptAsPaid,
} from '#src/shop/orders/status/evaluate-order.ts';
import {
  isReopenable,
  selectLossToClose,
  computeLostSats,
  findCloseAsLossProblem,
} from '#src/shop/orders/status/order-loss.ts';
import { quoteAtPresentRate } from '#src/shop/orders/status/present-price.ts';
import { findDeletionBlock } from '#src/shop/personal-data/deletion-block.ts';
import { cents, sumSats } from '#src/shop/money.ts';
import { computeRequiredConfirmations } from '#src/shop/payments/ledger/required-confirmations.ts';
import { STEPS, UNITS } from './order-record.ts';
import type { OrderSimulation } from './order-simulation.ts';

const STAFF = { by: 'staff', reason: 'simulated' };

const hasUnitsLeft = ({ order }: OrderSimulation): boolean =>
  order.fulfilment_status === 'unfulfilled' || order.fulfilment_status === 'partly_shipped';

/** Ships this number of units, or all that are left. */
function shipUnits(shop: OrderSimulation, most: number): boolean {
  const { order } = shop;
  const { unshipped } = shop.refunds.unitsLeft;
  if (!hasUnitsLeft(shop) || unshipped === 0) return false;
  if (findFulfilmentProblem(order, { to: 'shipped', trackingReference: 'AB1' }) !== null) return false;
  if (order.units_returned_at !== null && !shop.reserveAndCommit()) return false;
  const to = most < unshipped ? 'partly_shipped' : 'shipped';
  shop.parcels.push(Math.min(most, unshipped));
  shop.order = { ...shop.order, fulfilment_status: to, tracking_reference: 'AB1' };
  shop.appendEvent(to, { shipment: shop.parcels.length });
  return true;
}

/** `ShipmentCorrections.undo` of the newest parcel. */
function undoParcel(shop: OrderSimulation): boolean {
  const { order, parcels, refunds } = shop;
  const index = parcels.findLastIndex((units) => units !== null);
  const units = parcels[index] ?? 0;
  const isFrozen = order.fulfilment_status === 'delivered' || findRefundBlock(order.refund_state) !== null;
  if (index === -1 || isFrozen || order.units_returned_at !== null || refunds.unitsLeft.shipped < units) return false;
  parcels[index] = null;
  const isLeft = shop.shippedUnits > 0;
  shop.order = {
    ...order,
    fulfilment_status: isLeft ? 'partly_shipped' : 'unfulfilled',
    tracking_reference: isLeft ? 'AB1' : null,
  };
  shop.appendEvent('shipment_undone', { shipment: index + 1 });
  return true;
}

function correctTracking(shop: OrderSimulation): boolean {
  const index = shop.parcels.findLastIndex((units) => units !== null);
  if (index === -1) return false;
  shop.appendEvent('tracking_corrected', { shipment: index + 1 });
  return true;
}

/** Refunds units of the only line. */
const refundUnits = ({ refunds }: OrderSimulation, quantity: number, isShipped: boolean): boolean =>
  quantity > 0 &&
  refunds.make('lines', isShipped, {
    units: [{ position: 0, isShipped, quantity }],
    shipping: false,
    reason: 'simulated',
    restocks: false,
  });

/** Refunds a share of the dollars that are left. */
function refundDollars({ refunds }: OrderSimulation, share: bigint): boolean {
  const amount = refunds.leftCents / share;
  return amount > 0n && refunds.make('amount', false, undefined, cents(amount));
}

export const actions = {
  // ---- by the buyer

  markPaid(shop) {
    if (shop.isDeleted || shop.order.payment_status !== 'pending') return false;
    shop.order = { ...shop.order, payment_status: 'user_paid' };
    shop.appendEvent('user_paid');
    return true;
  },

  /** `OrderStatus.cancel` */
  cancel(shop) {
    const { orderLedger, now, order } = shop;
    if (shop.isDeleted || order.payment_status === 'cancelled' || findCancelProblem(order, orderLedger) !== null)
      return false;
    shop.apply(order, cancelWithLedger(order, orderLedger, now));
    if (order.paid_at !== null) shop.restock();
    return true;
  },

  /** `OrderStatus.requote` */
  requote(shop) {
    const { orderLedger, order, rate } = shop;
    const isReopened = isReopenable(order, orderLedger);
    if (shop.isDeleted || (order.payment_status !== 'expired' && !isReopened)) return false;
    if (order.refund_state !== null || rate === null) return false;
    if (shop.requoteRefusal !== null) return false;
    const present = shop.getPresentPrices(rate);
    const quote = quoteAtPresentRate(order, shop.lines, orderLedger, shop.getPriceTerms(rate), present);
    const total = present?.total_after_cents ?? order.total_after_cents;
    const required_confirmations =
      present === null ? order.required_confirmations : computeRequiredConfirmations(STEPS, total);
    if (total !== order.total_after_cents) shop.count('requote at another price');
    if (isReopened && order.fulfilment_status === 'unfulfilled' && order.units_returned_at === null) {
      if (shop.hasStock) shop.stock += 1;
      shop.hasStock = false;
    }
    if (!shop.reserveAgain()) return false;
    shop.order = {
      ...order,
      ...quote.order,
      required_confirmations,
      payment_status: 'pending',
      is_open: true,
      expired_at: null,
      full_expires_at: null,
      ...(isReopened ? { paid_at: null, settled_sats: null, units_returned_at: null } : {}),
    };
    shop.appendEvent('requoted', {
      due_sats: String(quote.order.due_sats),
      received_sats: String(order.recorded_received_sats),
    });
    shop.reconcile();
    return true;
  },

  nameAddress: (shop) => shop.refunds.nameAddress(false),
  nameLegacyAddress: (shop) => shop.refunds.nameAddress(true),
  confirmAddress: (shop) => shop.refunds.confirm(),

  /** `PersonalData.deleteAccount` */
  deleteAccount(shop) {
    const { order, refunds } = shop;
    if (shop.isDeleted) return false;
    const confirmed = refunds.list.filter((one) => one.state === 'confirmed').map(({ debitSats }) => debitSats);
    const block = findDeletionBlock({
      ...order,
      refunded_sats: sumSats([refunds.unclaimedSats, ...confirmed]),
      has_open_refund: refunds.open !== null,
      has_open_return: false,
      owes_credit: false,
    });
    if (block !== null) return false;
    if (order.payment_status === 'expired') {
      shop.order = { ...order, payment_status: 'cancelled', cancelled_at: shop.now };
      shop.appendEvent('cancelled', { words: 'the account of its buyer was deleted' });
    }
    const isKept =
      (['expired', 'cancelled'].includes(shop.order.payment_status) && order.recorded_received_sats > 0n) ||
      order.recorded_state === 'overpaid' ||
      refunds.open !== null;
    if (!isKept) refunds.address = null;
    shop.isDeleted = true;
    return true;
  },

  // ---- by staff

  acceptAsPaid(shop) {
    const { orderLedger, now, order } = shop;
    if (order.payment_status === 'paid') return false;
    const { receivedSats } = evaluateOrder(order, orderLedger);
    const settling = decideAcceptAsPaid(order, {
      receivedSats,
      finalSats: sumFinalForOrder(order, orderLedger),
    });
    if (!settling.ok) return false;
    const isClosed = order.payment_status === 'expired' || order.payment_status === 'cancelled';
    if (isClosed && !(order.units_returned_at === null ? shop.reserveAgain() : shop.reserveAndCommit())) return false;
    const { acceptedSats: settled } = settling;
    shop.order = { ...shop.order, settled_sats: settled, cancelled_at: null };
    shop.appendEvent('settled', createAcceptanceDetails(settled, order.due_sats, receivedSats));
    const accepted = acceptAsPaid(order, orderLedger, settled, now);
    const events = accepted.events.filter((event) => event !== 'paid_again');
    shop.apply({ ...order, settled_sats: settled, cancelled_at: null }, { ...accepted, events });
    return true;
  },

  cancelByStaff(shop) {
    const { orderLedger, now, order } = shop;
    if (shop.bug === 'cancelling by staff is refused' || order.payment_status === 'cancelled') return false;
    if (findStaffCancelProblem(order, orderLedger) !== null) return false;
    const messages = describeStaffCancel(order, orderLedger);
    shop.appendEvent('cancelled', { ...createAmountDetails(order, null), ...STAFF, words: messages });
    shop.apply(order, { ...cancelWithLedger(order, orderLedger, now), events: [] });
    if (order.paid_at !== null) shop.restock();
    return true;
  },

  closeAsLoss(shop) {
    const { orderLedger, order } = shop;
    if (shop.bug === 'closing as a loss is refused' || order.closed_as_loss_of !== null) return false;
    if (findCloseAsLossProblem(order, orderLedger) !== null) return false;
    const of = selectLossToClose(order, orderLedger);
    shop.order = { ...order, closed_as_loss_of: of };
    const lostSats = String(computeLostSats(shop.order, orderLedger));
    shop.appendEvent(of === 'payment' ? 'closed_as_loss' : 'refund_loss_closed', {
      ...createAmountDetails(order, null),
      ...STAFF,
      lost_sats: lostSats,
    });
    return true;
  },

  releaseStock(shop) {
    const { orderLedger, now, order } = shop;
    if (findReleaseProblem(order, orderLedger) !== null || !shop.hasStock) return false;
    const ended = { ...order, expires_at: now, full_expires_at: null };
    const expired = expireWithLedger(ended, orderLedger, now, { reconciledAt: now, unconfirmedLimitSeconds: 86_400 });
    if (expired === null) return false;
    shop.order = ended;
    shop.appendEvent('reservation_released', { ...createAmountDetails(order, null), ...STAFF });
    shop.apply(ended, expired);
    return true;
  },

  ship: (shop) => shipUnits(shop, UNITS),
  shipPart: (shop) => shipUnits(shop, 1),

  changeAddress(shop) {
    if (shop.isDeleted || !isAddressChangeable(shop.order)) return false;
    shop.appendEvent('address_changed', STAFF);
    return true;
  },

  deliver(shop) {
    if (shop.order.fulfilment_status !== 'shipped') return false;
    if (findFulfilmentProblem(shop.order, { to: 'delivered' }) !== null) return false;
    shop.order = { ...shop.order, fulfilment_status: 'delivered' };
    shop.appendEvent('delivered');
    return true;
  },

  refundWhole: (shop) => shop.refunds.make('whole', false),
  refundWholeOfCoins: (shop) => shop.refunds.make('whole', true),
  refundSurplus: (shop) => shop.refunds.make('surplus', false),
  refundUnit: (shop) => refundUnits(shop, 1, false),
  refundShippedUnit: (shop) => refundUnits(shop, 1, true),
  refundAmount: (shop) => refundDollars(shop, 3n),
  refundRest: (shop) => refundDollars(shop, 1n),
  refundAllUnits: (shop) => refundUnits(shop, shop.refunds.unitsLeft.unshipped, false),
  withdrawRefund: (shop) => shop.refunds.withdraw(),
  sendRefund(shop) {
    const index = shop.refunds.list.findIndex(({ state }) => state === 'made');
    return index !== -1 && shop.refunds.send(index);
  },
  /** Staff mistake: a withdrawn refund is sent from another wallet. */
  sendWithdrawn(shop) {
    const index = shop.refunds.list.findIndex(({ state }) => state === 'withdrawn');
    return index !== -1 && shop.refunds.list[index]?.isElsewhere === false && shop.refunds.send(index);
  },
  /** Staff mistake: a refund is sent although a second one replaced it. */
  sendSuperseded: (shop) =>
    shop.refunds.make('whole', true) &&
    shop.refunds.withdraw() &&
    shop.refunds.make('whole', false) &&
    shop.refunds.send(-2),
  recordRefund: (shop) => shop.refunds.record(),
  undoRecord: (shop) => shop.refunds.undoRecord(),
  recordElsewhere: (shop) => shop.refunds.recordElsewhere('surplus') || shop.refunds.recordElsewhere('whole'),
  enterAddress: (shop) => shop.refunds.enter(false),
  enterLegacyAddress: (shop) => shop.refunds.enter(true),
  writeOff: (shop) => shop.refunds.writeOff('unclaimed'),
  acceptPaidTwice: (shop) => shop.refunds.writeOff('paid-twice'),
  correctTracking,
  undoParcel,
} as const satisfies Readonly<Record<string, (shop: OrderSimulation) => boolean>>;

export type Action = keyof typeof actions;
export const actionNames = Object.keys(actions).filter((name): name is Action => name in actions);
