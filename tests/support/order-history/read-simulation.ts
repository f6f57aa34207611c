/** Page, mail and staff task data of the simulated order. */
import { findStaffTask } from '#src/shop/admin/tasks/staff-task.ts';
import { formatDecimalBtc, NO_SATS, subtractSats, sumSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { OrderMailData } from '#src/shop/notifications/order-mail-parts.ts';
import { evaluateOrder, isTooLate } from '#src/shop/orders/status/evaluate-order.ts';
import { LATE_LIMIT_DAYS } from './order-record.ts';
import { findReopenRefusal, isReopenable } from '#src/shop/orders/status/order-loss.ts';
import type { PaymentToDescribe } from '#src/shop/orders/status/payment-message.ts';
import { quoteAtPresentRate } from '#src/shop/orders/status/present-price.ts';
import { showOrder } from '#src/shop/orders/show-order.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';
import { readTimelineFacts, readPayment } from '#src/shop/orders/web/read-order.ts';
import type { PayableOrder } from '#src/shop/orders/web/read-order.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { findLateReason } from '#src/shop/orders/status/late-reason.ts';
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
  const closed = findReopenRefusal(order, orderLedger);
  if (closed === null && order.payment_status !== 'expired' && !isReopenable(order, orderLedger)) return null;
  if (rate === null || closed !== null) {
    const refusal = closed ?? shop.requoteRefusal;
    const totalCents = order.total_after_cents;
    return { rate: null, missingSats: NO_SATS, totalCents, refusal, isRateBlocking: false, isTooLate: false };
  }
  const present = shop.requoteRefusal === null ? shop.getPresentPrices(rate) : null;
  const quote = quoteAtPresentRate(order, shop.lines, orderLedger, shop.getPriceTerms(rate), present);
  const { isCoveredByFinal, receivedSats, state } = evaluateOrder(order, orderLedger);
  const { due_sats: due } = quote.order;
  const isHeld = state === 'late' && isCoveredByFinal;
  const isOver = isTooLate(order, LATE_LIMIT_DAYS, shop.now);
  return {
    rate,
    missingSats: receivedSats < due ? subtractSats(due, receivedSats) : NO_SATS,
    totalCents: present?.total_after_cents ?? order.total_after_cents,
    refusal: shop.requoteRefusal,
    isRateBlocking: isHeld && !isOver && shop.fitsLateTerms === false,
    isTooLate: isHeld && isOver,
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
    late: { because, missingSats: next?.missingSats ?? NO_SATS },
    requoteRefusal: next?.refusal ?? null,
    shopUrl: 'https://shop.test',
    payUrl: 'https://shop.test/pay/token',
    withdrawalUrl: 'https://shop.test/withdrawal/token',
    orderUrl: 'https://shop.test/dashboard/orders/order',
    terms: { documents: [{ title: 'Terms and conditions (version 1)', sections: [] }], isAttached: true },
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

/** `showNextQuote` of the timeline */
function showNextQuote(next: ReturnType<typeof findNextQuote>) {
  if (next === null) return { next_quote: null, requote_refusal: null };
  const quote = { rate_usd: 0, missing_btc: toBtc(next.missingSats), total_usd: Number(next.totalCents) / 100 };
  return { next_quote: next.refusal === null && next.rate !== null ? quote : null, requote_refusal: next.refusal };
}

/** Data of the order page. */
export function toPageInput(shop: OrderSimulation, isPublic: boolean): PaymentToDescribe {
  const order = toWire(showSimulatedOrder(shop));
  const next = findNextQuote(shop);
  const texts = describeEvents(shop.events.map(({ kind }) => kind));
  const known = {
    late_because: findLateReason(order.payment, next, shop.events),
    ...showNextQuote(next),
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
