/** Mails of a payment that left, or that the network took back. */
import type { FulfilmentStatus } from '#src/shop/orders/kinds.ts';
import {
  formatBtc,
  writePaymentChanged,
  isClosed,
  isPaidNow,
  NOTHING_LOST,
  orderLink,
  writeUnlessChanged,
  payLink,
  text,
  formatTime,
} from './order-mail-parts.ts';
import type { OrderMailData, MailContent } from './order-mail-parts.ts';

/** Nothing is asked for: the order can't be paid any more. */
function leftAfterClosing(told: OrderMailData): MailContent | null {
  const { order, event } = told;
  // It is there again.
  if (order.payment.received_btc >= event.beforeSats) return null;
  return {
    subject: `Order ${order.number}: a payment is not there any more`,
    title: 'A payment is not there any more',
    preview: 'There is nothing to do.',
    blocks: [
      text(
        `${formatBtc(event.beforeSats)} that were on their way for your order ${order.number} are not there any more: another transaction took their place, or the network dropped them. Your wallet has them again, or has sent them elsewhere. The order is closed; please send nothing for it.`,
      ),
      orderLink(told),
    ],
  };
}

export function replaced(told: OrderMailData): MailContent | null {
  const { order, event } = told;
  if (isClosed(told)) return leftAfterClosing(told);
  return writeUnlessChanged(told, () => ({
    subject: `Order ${order.number}: your payment was replaced`,
    title: 'Your payment was replaced',
    preview: 'It will not arrive as it was sent.',
    blocks: [
      text(
        `Another transaction took the place of your payment of ${formatBtc(event.beforeSats)} for your order ${order.number}, so it will not arrive, and we do not ship for it. Please send the amount again until ${formatTime(order.expires_at)}. If you raised the fee in your wallet and it pays the same address, there is nothing to do: we see it by itself.`,
      ),
      payLink(told),
      text(NOTHING_LOST),
    ],
  }));
}

export function dropped(told: OrderMailData): MailContent | null {
  const { order, event } = told;
  if (isClosed(told)) return leftAfterClosing(told);
  return writeUnlessChanged(told, () => ({
    subject: `Order ${order.number}: the network dropped your payment`,
    title: 'The network has dropped your payment',
    preview: 'Its fee was too low. Raise it in your wallet, or send again.',
    blocks: [
      text(
        `Your payment of ${formatBtc(event.beforeSats)} for your order ${order.number} is not on its way any more, most often because its fee is too low, and we do not ship for it. Raise the fee in your wallet, or send the amount again, until ${formatTime(order.expires_at)}. Should both arrive, what is too much goes back to you.`,
      ),
      payLink(told),
      text(NOTHING_LOST),
    ],
  }));
}

/** Money that was there is not any more, and nobody knows why. */
export const withdrawn = (told: OrderMailData): MailContent | null =>
  isClosed(told) ? leftAfterClosing(told) : dropped(told);

const PARCEL: Readonly<Record<FulfilmentStatus, string>> = {
  unfulfilled: 'We keep your parcel here until then, and write again.',
  shipped: 'Your parcel is on its way and stays so; we write again.',
  delivered: 'You have your parcel, and keep it; we write again.',
};

export function reorgedOut(told: OrderMailData): MailContent | null {
  const { order } = told;
  if (isPaidNow(told)) return null;
  if (order.payment.state !== 'reorged_out') return writePaymentChanged(told);
  return {
    subject: `Order ${order.number}: your payment is being confirmed again`,
    title: 'Your payment is being confirmed again',
    preview: 'There is nothing to do.',
    blocks: [
      text(
        `The Bitcoin network has replaced the block that held your payment for order ${order.number}. That is rare; as a rule the payment goes into another block within the hour. ${PARCEL[order.fulfilment_status]}`,
      ),
      text('There is nothing for you to do. Please don’t send it again.'),
      { kind: 'link', label: 'Follow the payment', url: told.payUrl },
    ],
  };
}

export function paidAgain(told: OrderMailData): MailContent {
  const { order } = told;
  if (!isPaidNow(told)) return writePaymentChanged(told);
  const parcel = order.fulfilment_status === 'unfulfilled' ? ', and we go on with your order' : '';
  return {
    subject: `Order ${order.number}: your payment is confirmed again`,
    title: 'Your payment is confirmed again',
    preview: 'All is well.',
    blocks: [
      text(
        `The payment for your order ${order.number} is in the chain again with all its confirmations${parcel}. Your receipt still holds.`,
      ),
      orderLink(told),
    ],
  };
}
