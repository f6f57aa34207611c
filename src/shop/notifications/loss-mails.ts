/** Mails of a payment that was lost for good, and of a refund that it stops. */
import {
  formatBtc,
  writePaymentChanged,
  NOTHING_LOST,
  orderLink,
  payLink,
  text,
  formatTime,
} from './order-mail-parts.ts';
import type { OrderMailData, MailContent } from './order-mail-parts.ts';

const SPENT = 'another transaction spent the same coins, and the network has confirmed it';

const isLost = ({ order: { payment } }: OrderMailData): boolean =>
  payment.loss === 'double_spent' || payment.loss === 'part_double_spent';

/** What the buyer can do: pay at the quote that holds, have a new one made, or cancel. */
function nextStep(told: OrderMailData): MailContent['blocks'] {
  const { order } = told;
  const isPart = order.payment.loss === 'part_double_spent';
  if (order.payment.bip21 !== null) {
    return [
      text(`${isPart ? 'Please send the rest' : 'Please pay again'} until ${formatTime(order.expires_at)}.`),
      payLink(told),
      text(NOTHING_LOST),
    ];
  }
  const isSent = order.fulfilment_status !== 'unfulfilled';
  const what = isPart
    ? `The ${formatBtc(order.payment.received_btc)} that are here count. Open your order and get a new price for the rest, or write to us if you want them back.`
    : `Please don’t send anything at the old price: open your order and get a new price${isSent ? ', or write to us. Your order was sent all the same.' : ' to pay again, or cancel the order.'}`;
  return [text(what), orderLink(told)];
}

export function doubleSpent(told: OrderMailData): MailContent {
  if (!isLost(told)) return writePaymentChanged(told);
  const { order } = told;
  const isPart = order.payment.loss === 'part_double_spent';
  const what = isPart ? 'A part of your payment' : 'Your payment';
  return {
    subject: `Order ${order.number}: ${what.toLowerCase()} will not return`,
    title: `${what} will not return`,
    preview: 'Its coins were spent by another transaction.',
    blocks: [text(`${what} for order ${order.number} will not arrive: ${SPENT}.`), ...nextStep(told)],
  };
}

export function paymentMayReturn(told: OrderMailData): MailContent {
  const { order } = told;
  const { loss, state } = order.payment;
  if (loss !== null || state !== 'reorged_out') return writePaymentChanged(told);
  return {
    subject: `Order ${order.number}: your payment may return`,
    title: 'Your payment may return',
    preview: 'Please don’t pay again for now.',
    blocks: [
      text(
        `The network has taken back the transaction that had spent the coins of your payment for order ${order.number}. The payment may return after all: please don’t pay again for now. We write when it is clear.`,
      ),
      orderLink(told),
    ],
  };
}

export function refundStopped(told: OrderMailData): MailContent {
  const { order } = told;
  if (order.payment.loss !== 'refund_stopped') return writePaymentChanged(told);
  return {
    subject: `Order ${order.number}: your refund is on hold`,
    title: 'Your refund is on hold',
    preview: 'The payment is not confirmed any more.',
    blocks: [
      text(
        `The Bitcoin network has taken a payment for your order ${order.number} back, so what was to be refunded is not there. We have put the refund on hold. If the payment is confirmed again, the refund goes on and we write to you. There is nothing for you to do.`,
      ),
      orderLink(told),
    ],
  };
}

export function refundResumed(told: OrderMailData): MailContent {
  const { order } = told;
  if (order.payment.loss !== null) return writePaymentChanged(told);
  return {
    subject: `Order ${order.number}: your refund goes on`,
    title: 'Your refund goes on',
    preview: 'The payment is confirmed again.',
    blocks: [
      text(`The payment for your order ${order.number} is confirmed again, and the refund is not on hold any more.`),
      orderLink(told),
    ],
  };
}

export function closedAsLoss(told: OrderMailData): MailContent {
  const { order } = told;
  if (order.payment.loss !== 'closed') return writePaymentChanged(told);
  const { received_btc: received } = order.payment;
  const part = received > 0n ? ` ${formatBtc(received)} of it are here.` : '';
  return {
    subject: `Order ${order.number}: closed as unpaid`,
    title: 'Your order was closed as unpaid',
    preview: 'Its payment did not stay in the network.',
    blocks: [
      text(
        `We sent your order ${order.number}, and its payment did not stay in the Bitcoin network.${part} We have closed the order as unpaid. Do you want to pay it? Write to us in a ticket. Should the payment be confirmed after all, the order is paid.`,
      ),
      orderLink(told),
    ],
  };
}
