/** Page, mail and staff task data of the simulated order. */
import { findStaffTask } from '#src/shop/admin/tasks/staff-task.ts';
import { formatDecimalBtc, NO_SATS, subtractSats, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderMailData } from '#src/shop/notifications/order-mail-parts.ts';
import { evaluateOrder, isTooLate } from '#src/shop/orders/status/evaluate-order.ts';
import { LATE_LIMIT_DAYS } from './order-record.ts';
import { isReopenable } from '#src/shop/orders/status/order-loss.ts';
import type { PaymentToDescribe } from '#src/shop/orders/status/payment-message.ts';
import { quoteAtPresentRate } from '#src/shop/orders/status/present-price.ts';
import { showOrder } from '#src/shop/orders/show-order.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import { readTimelineFacts, readPayment } from '#src/shop/orders/web/read-order.ts';
import type { PayableOrder } from '#src/shop/orders/web/read-order.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { findLateReason } from '#src/shop/orders/timeline/late-reason.ts';
import { describeEvents } from '#src/shop/orders/timeline/timeline-messages.ts';
import type { OrderSimulation } from './order-simulation.ts';

const showSimulatedOrder = (shop: OrderSimulation): ShownOrder =>
  showOrder(shop.order, [], shop.orderLedger, {
    writeUri: ({ address, amountBtc }) => `bitcoin:${address}?amount=${amountBtc}`,
    chain: shop.isUp ? 'up' : 'down',
    shop: { name: 'Crypto Market', orderPrefix: 'CM-' },
  });

/** `Quotes.findNext` */
function findNextQuote(shop: OrderSimulation) {
  const { orderLedger, order, rate } = shop;
  if (order.refund_state !== null) return null;
  if (order.payment_status !== 'expired' && !isReopenable(order, orderLedger)) return null;
  if (rate === null) return 'no-rate' as const;
  const quote = quoteAtPresentRate(order, shop.lines, orderLedger, shop.getPriceTerms(rate));
  const { isCoveredByFinal, receivedSats, state } = evaluateOrder(order, orderLedger);
  const { due_sats: due } = quote.order;
  return {
    rate,
    missingSats: receivedSats < due ? subtractSats(due, receivedSats) : NO_SATS,
    isRateBlocking: state === 'late' && isCoveredByFinal && shop.fitsLateTerms === false,
  };
}

/** Data of a mail. */
export function toMailInput(shop: OrderSimulation, happened: OrderMailData['event']): OrderMailData {
  const order = showSimulatedOrder(shop);
  const next = findNextQuote(shop);
  const because = findLateReason(order.payment, next, shop.events);
  return {
    username: 'ada',
    order,
    rate: shop.order.rate_cents_per_btc,
    trackingReference: shop.order.tracking_reference,
    shipment: null,
    event: happened,
    late: { because, missingSats: next === null || next === 'no-rate' ? NO_SATS : next.missingSats },
    payUrl: 'https://shop.test/pay/token',
    orderUrl: 'https://shop.test/dashboard/orders/order',
  };
}

const toBtc = (amount: Sats): number => Number(formatDecimalBtc(amount));

/** Converts the order to its API form. */
function toWire({ payment_status, fulfilment_status, payment }: ShownOrder): PayableOrder {
  const { amount_btc, received_btc, confirmed_btc, returned_btc, short_btc, transactions } = payment;
  return {
    payment_status,
    fulfilment_status,
    payment: {
      ...payment,
      amount_btc: toBtc(amount_btc),
      received_btc: toBtc(received_btc),
      confirmed_btc: toBtc(confirmed_btc),
      returned_btc: toBtc(returned_btc),
      short_btc: toBtc(short_btc),
      transactions: transactions.map((one) => ({
        ...one,
        amount_btc: toBtc(one.amount_btc),
        first_seen: one.first_seen.toISOString(),
      })),
    },
  };
}

/** Data of the order page. */
export function toPageInput(shop: OrderSimulation, isPublic: boolean): PaymentToDescribe {
  const order = toWire(showSimulatedOrder(shop));
  const next = findNextQuote(shop);
  const texts = describeEvents(shop.events.map(({ kind }) => kind));
  const known = {
    late_because: findLateReason(order.payment, next, shop.events),
    next_quote: next === null || next === 'no-rate' ? null : { rate_usd: 0, missing_btc: toBtc(next.missingSats) },
  };
  const { address, list } = shop.refunds;
  const own = {
    refund_least_btc: address === null ? null : Number(address.dustSats) / 1e8,
    refunds: list.map(({ id, state }) => ({ id, state })),
    timeline: shop.events.map(({ kind }, index) => ({ kind, text: texts[index] ?? '' })),
  };
  const hasCode = isPublic && order.payment.bip21 !== null;
  const { fulfilment_status: _, ...pay } = order;
  return readPayment(isPublic ? pay : order, hasCode, readTimelineFacts(isPublic ? known : { ...known, ...own }));
}

/** The staff task of one order. */
export function readStaffTask(shop: OrderSimulation) {
  const { orderLedger, order, refunds } = shop;
  const last = new Map(shop.events.map(({ kind, at }) => [kind, at] as const));
  const { open } = refunds;
  const confirmed = refunds.list.filter(({ state }) => state === 'confirmed');
  return findStaffTask({
    ...order,
    ...orderLedger,
    evaluation: evaluateOrder(order, orderLedger),
    lastEvents: last,
    isLatePaymentAcceptable: shop.fitsLateTerms,
    isTooLate: isTooLate(order, LATE_LIMIT_DAYS, shop.now),
    openRefund: open && { state: open.state === 'sent' ? 'sent' : 'made', madeAt: open.madeAt },
    refundedSats: sumSats([NO_SATS, ...confirmed.map(({ debitSats }) => debitSats)]),
    unclaimedSats: refunds.unclaimedSats,
    doubleRefund: refunds.paidTwice?.kind ?? null,
    addressConfirmedAt: refunds.usableSince,
    minRefundSats: refunds.address?.dustSats ?? MIN_REFUND_SATS,
  });
}
