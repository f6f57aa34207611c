/** Mails about a payment that left the mempool or lost its confirmations. */
import { formatBtc } from '#src/shop/format-number.ts';
import type { FulfilmentStatus } from '#src/shop/orders/kinds.ts';
import { isReorgedState } from '#src/shop/payments/ledger/payment-state.ts';
import {
  writePaymentChanged,
  isClosed,
  isPaidNow,
  NOTHING_LOST,
  orderLink,
  writeUnlessChanged,
  payLink,
  createText,
  formatTime,
} from './order-mail-parts.ts';
import { doubleSpent } from './loss-mails.ts';
import type { OrderMailData, OrderMailWriters, MailContent } from './order-mail-parts.ts';

/** The order can't be paid any more, so the mail requests nothing. */
function writeLeftAfterClosing(data: OrderMailData): MailContent | null {
  const { order, event } = data;
  // The payment returned.
  if (order.payment.received_btc >= event.beforeSats) return null;
  return {
    subject: `Order ${order.number}: a payment is no longer on its way`,
    title: 'A payment is no longer on its way',
    preview: 'No action needed.',
    blocks: [
      createText(
        `A payment of ${formatBtc(event.beforeSats)} for your order ${order.number} is no longer on its way: it was replaced by another transaction, or the network dropped it. Your wallet has the amount again, or has sent it elsewhere. The order is closed. Please don’t send anything for it.`,
      ),
      orderLink(data),
    ],
  };
}

function writeReplaced(data: OrderMailData): MailContent | null {
  const { order, event } = data;
  if (isClosed(data)) return writeLeftAfterClosing(data);
  return writeUnlessChanged(data, () => ({
    subject: `Order ${order.number}: your payment was replaced`,
    title: 'Your payment was replaced',
    preview: 'Another transaction replaced it.',
    blocks: [
      createText(
        `Another transaction replaced your payment of ${formatBtc(event.beforeSats)} for your order ${order.number}, so it will not arrive, and we can’t ship yet. Please send the amount again by ${formatTime(order.expires_at)}. If you raised the fee in your wallet and pay the same address, you don’t need to do anything: we detect the new transaction automatically.`,
      ),
      payLink(data),
      createText(NOTHING_LOST),
    ],
  }));
}

function writeDropped(data: OrderMailData): MailContent | null {
  const { order, event } = data;
  if (isClosed(data)) return writeLeftAfterClosing(data);
  return writeUnlessChanged(data, () => ({
    subject: `Order ${order.number}: the network dropped your payment`,
    title: 'The network dropped your payment',
    preview: 'Usually the fee is too low. Raise it in your wallet, or send it again.',
    blocks: [
      createText(
        `The network dropped your payment of ${formatBtc(event.beforeSats)} for your order ${order.number}, usually because its fee is too low, and we can’t ship yet. Raise the fee in your wallet, or send the amount again, by ${formatTime(order.expires_at)}. If both arrive, we refund the difference.`,
      ),
      payLink(data),
      createText(NOTHING_LOST),
    ],
  }));
}

/** The payment disappeared for an unknown reason. */
const writeWithdrawn = (data: OrderMailData): MailContent | null =>
  isClosed(data) ? writeLeftAfterClosing(data) : writeDropped(data);

const PARCEL: Readonly<Record<FulfilmentStatus, string>> = {
  unfulfilled: 'We ship your order once the payment is confirmed, and write to you.',
  partly_shipped: 'Part of your order is on its way. We ship the rest once the payment is confirmed, and write to you.',
  shipped: 'Your parcel is on its way. We write to you when the payment is confirmed.',
  delivered: 'Your parcel was delivered. We write to you when the payment is confirmed.',
};

function writeReorgedOut(data: OrderMailData): MailContent | null {
  const { order } = data;
  if (isPaidNow(data)) return null;
  if (!isReorgedState(order.payment.state)) return writePaymentChanged(data);
  return {
    subject: `Order ${order.number}: your payment is being confirmed again`,
    title: 'Your payment is being confirmed again',
    preview: 'No action needed.',
    blocks: [
      createText(
        `The Bitcoin network replaced the block that contained your payment for order ${order.number}. This is rare. Usually another block confirms the payment within the hour. ${PARCEL[order.fulfilment_status]}`,
      ),
      createText('You don’t need to do anything. Please don’t send it again.'),
      { kind: 'link', label: 'View payment', url: data.payUrl },
    ],
  };
}

function writePaidAgain(data: OrderMailData): MailContent {
  const { order } = data;
  if (!isPaidNow(data)) return writePaymentChanged(data);
  const parcel = order.fulfilment_status === 'unfulfilled' ? ', and we continue with your order' : '';
  return {
    subject: `Order ${order.number}: your payment is confirmed again`,
    title: 'Your payment is confirmed again',
    preview: 'Your order is paid.',
    blocks: [
      createText(
        `The payment for your order ${order.number} has all its confirmations again${parcel}. Your receipt is still valid.`,
      ),
      orderLink(data),
    ],
  };
}

export const lostPaymentMails = {
  'paid-again': writePaidAgain,
  replaced: writeReplaced,
  dropped: writeDropped,
  withdrawn: writeWithdrawn,
  'reorged-out': (data) => (data.order.payment.loss === null ? writeReorgedOut(data) : doubleSpent(data)),
} as const satisfies OrderMailWriters;
