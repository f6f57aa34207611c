/** Mails about a double-spent payment, and about a refund that it puts on hold. */
import { formatBtc } from '#src/shop/format-number.ts';
import { isReorgedState } from '#src/shop/payments/ledger/payment-state.ts';
import { writePaymentChanged, NOTHING_LOST, orderLink, payLink, createText, formatTime } from './order-mail-parts.ts';
import type { OrderMailData, OrderMailWriters, MailContent } from './order-mail-parts.ts';

const SPENT = 'another transaction spent the same coins and is confirmed';

const isLost = ({ order: { payment } }: OrderMailData): boolean =>
  payment.loss === 'double_spent' || payment.loss === 'part_double_spent';

/** The next step: pay at the open quote, get a new one, or cancel. */
function writeNextStep(data: OrderMailData): MailContent['blocks'] {
  const { order } = data;
  const isPart = order.payment.loss === 'part_double_spent';
  if (order.payment.bip21 !== null) {
    return [
      createText(`${isPart ? 'Please send the rest' : 'Please pay again'} by ${formatTime(order.expires_at)}.`),
      payLink(data),
      createText(NOTHING_LOST),
    ];
  }
  const isSent = order.fulfilment_status !== 'unfulfilled';
  if (data.requoteRefusal !== null) {
    return [createText(`${data.requoteRefusal}. Please write to us.`), orderLink(data)];
  }
  const what = isPart
    ? `The ${formatBtc(order.payment.received_btc)} that arrived counts. While the items are available, open your order and get a new price for the rest, or write to us if you want a refund.`
    : `Please don’t pay at the old price. While the items are available, open your order and get a new price${isSent ? ', or write to us. Your order was sent.' : ' to pay again, or cancel the order.'}`;
  return [createText(what), orderLink(data)];
}

export function doubleSpent(data: OrderMailData): MailContent {
  if (!isLost(data)) return writePaymentChanged(data);
  const { order } = data;
  const isPart = order.payment.loss === 'part_double_spent';
  const what = isPart ? 'Part of your payment' : 'Your payment';
  return {
    subject: `Order ${order.number}: ${what.toLowerCase()} will not return`,
    title: `${what} will not return`,
    preview: 'Another transaction spent the same coins.',
    blocks: [createText(`${what} for order ${order.number} will not arrive: ${SPENT}.`), ...writeNextStep(data)],
  };
}

function writePaymentMayReturn(data: OrderMailData): MailContent {
  const { order } = data;
  const { loss, state } = order.payment;
  if (loss !== null || !isReorgedState(state)) return writePaymentChanged(data);
  return {
    subject: `Order ${order.number}: your payment may still arrive`,
    title: 'Your payment may still arrive',
    preview: 'Please don’t pay again for now.',
    blocks: [
      createText(
        `The transaction that spent the coins of your payment for order ${order.number} is no longer confirmed, so your payment may still arrive. Please don’t pay again for now. We write to you when we know more.`,
      ),
      orderLink(data),
    ],
  };
}

function refundStopped(data: OrderMailData): MailContent {
  const { order } = data;
  if (order.payment.loss !== 'refund_stopped') return writePaymentChanged(data);
  return {
    subject: `Order ${order.number}: your refund is on hold`,
    title: 'Your refund is on hold',
    preview: 'The payment is no longer confirmed.',
    blocks: [
      createText(
        `A payment for your order ${order.number} is no longer confirmed by the Bitcoin network, so we put your refund on hold. If the payment is confirmed again, we continue the refund and write to you. You don’t need to do anything.`,
      ),
      orderLink(data),
    ],
  };
}

function refundResumed(data: OrderMailData): MailContent {
  const { order } = data;
  if (order.payment.loss !== null) return writePaymentChanged(data);
  return {
    subject: `Order ${order.number}: your refund continues`,
    title: 'Your refund continues',
    preview: 'The payment is confirmed again.',
    blocks: [
      createText(`The payment for your order ${order.number} is confirmed again, and the refund is no longer on hold.`),
      orderLink(data),
    ],
  };
}

function writeClosedAsLoss(data: OrderMailData): MailContent {
  const { order } = data;
  if (order.payment.loss !== 'closed') return writePaymentChanged(data);
  const { received_btc: received } = order.payment;
  const part = received > 0n ? ` ${formatBtc(received)} of it arrived.` : '';
  return {
    subject: `Order ${order.number}: closed as unpaid`,
    title: 'Your order was closed as unpaid',
    preview: 'Its payment did not stay confirmed.',
    blocks: [
      createText(
        `We sent your order ${order.number}, but its payment did not stay confirmed in the Bitcoin network.${part} We closed the order as unpaid. To pay it, write to us in a ticket. If the payment is confirmed after all, the order is paid.`,
      ),
      orderLink(data),
    ],
  };
}

export const lossMails = {
  'double-spent': doubleSpent,
  'payment-may-return': writePaymentMayReturn,
  'refund-stopped': refundStopped,
  'refund-resumed': refundResumed,
  'closed-as-loss': writeClosedAsLoss,
} as const satisfies OrderMailWriters;
