/** Mails of a payment on its way: what has arrived, what is missing, what is too much, what came late. */
import { subtractSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS, MIN_REFUND_TO_ANY_ADDRESS_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import {
  createAmountFact,
  formatConfirmations,
  formatBtc,
  writePaymentChanged,
  isClosed,
  isPaidNow,
  NOTHING_LOST,
  orderLink,
  writeUnlessChanged,
  payLink,
  computeSurplus,
  text,
  formatTime,
} from './order-mail-parts.ts';
import type { OrderMailData, MailContent } from './order-mail-parts.ts';
import type { MailBlock } from './render-mail.ts';

const followLink = ({ payUrl }: OrderMailData): MailBlock => ({
  kind: 'link',
  label: 'Follow the payment',
  url: payUrl,
});

/** When it is final, in words. */
function untilFinal({ order }: OrderMailData): string {
  const { required_confirmations: needed, transactions } = order.payment;
  const isSlow = transactions.some(({ is_fee_low: isLow }) => isLow);
  const usually = `, usually within ${needed * 10} to ${needed * 20} minutes`;
  return `final after ${formatConfirmations(needed)}${isSlow ? '; its fee is low, so that may take long' : usually}`;
}

/** It is on its way to be confirmed; once it is, the receipt says so, and when it left, another mail. */
const isOnItsWay = ({ order: { payment } }: OrderMailData): boolean =>
  payment.state === 'seen' || payment.state === 'confirming';

export function seen(told: OrderMailData): MailContent | null {
  const { order } = told;
  if (!isOnItsWay(told)) return null;
  const received = formatBtc(order.payment.received_btc);
  return {
    subject: `Order ${order.number}: we have seen your payment`,
    title: 'We have seen your payment',
    preview: `${received} are on their way.`,
    blocks: [
      text(
        `${received} for your order ${order.number} are on their way. The payment is ${untilFinal(told)}. There is nothing more for you to do: we write again when it is.`,
      ),
      followLink(told),
    ],
  };
}

/** After the buyer was told that it had left. */
export function back(told: OrderMailData): MailContent | null {
  const { order } = told;
  if (!isOnItsWay(told)) return null;
  return {
    subject: `Order ${order.number}: the whole amount is there again`,
    title: 'The whole amount is there again',
    preview: 'Please don’t send it once more.',
    blocks: [
      text(
        `We see ${formatBtc(order.payment.received_btc)} for your order ${order.number} again, which is enough. It is ${untilFinal(told)}. Please send nothing more. Should you have paid twice meanwhile, what is too much goes back to you.`,
      ),
      followLink(told),
    ],
  };
}

function missingFacts({ order, event }: OrderMailData, missing: Sats): MailBlock {
  return {
    kind: 'facts',
    facts: [
      createAmountFact('Still missing', missing),
      createAmountFact('Received', event.receivedSats),
      createAmountFact('Of', event.dueSats),
      { label: 'Address', value: order.payment.address, isCode: true },
    ],
  };
}

/** A part that arrived for an order which nobody may pay any more. */
function partOfClosed(told: OrderMailData, missing: Sats): MailContent {
  const { order, event } = told;
  const isExpired = order.payment_status === 'expired';
  const start = `A part of the payment for your order ${order.number} has arrived, but`;
  return {
    subject: isExpired
      ? `Order ${order.number}: ${formatBtc(missing)} are still missing`
      : `Order ${order.number}: a payment after it was ${order.payment_status}`,
    title: 'A part of your payment has arrived',
    preview: `${formatBtc(event.receivedSats)} of ${formatBtc(event.dueSats)} have arrived.`,
    blocks: [
      text(
        isExpired
          ? `${start} the time for it is over: please send nothing more for now. Open your order to get a new quote, in which what you have sent counts, or write to us and we send it back.`
          : `${start} the order is ${order.payment_status}: please send nothing more. We settle it with you or send it back: name an address for that with your order.`,
      ),
      missingFacts(told, missing),
      orderLink(told),
      text(NOTHING_LOST),
    ],
  };
}

function stillMissing(told: OrderMailData, title: string, words: string): MailContent {
  const { order, event } = told;
  const missing = subtractSats(event.dueSats, event.receivedSats);
  const { amount_btc: due, received_btc: received, state } = order.payment;
  const isSame = due === event.dueSats && received === event.receivedSats && state === 'underpaid';
  if (isClosed(told) && isSame) return partOfClosed(told, missing);
  return writeUnlessChanged(told, () => ({
    subject: `Order ${order.number}: ${formatBtc(missing)} are still missing`,
    title: title === '' ? `${formatBtc(missing)} are still missing` : title,
    preview: `${formatBtc(event.receivedSats)} of ${formatBtc(event.dueSats)} have arrived.`,
    blocks: [
      text(`${words} Please send the rest to the same address until ${formatTime(order.expires_at)}.`),
      missingFacts(told, missing),
      payLink(told),
      text(NOTHING_LOST),
    ],
  }));
}

export const underpaid = (told: OrderMailData): MailContent =>
  stillMissing(
    told,
    '',
    `Only a part of the payment for your order ${told.order.number} is here. Often it is the fee of an exchange or a wallet that is missing.`,
  );

export const partLeft = (told: OrderMailData): MailContent =>
  stillMissing(
    told,
    'A part of your payment is not there any more',
    `One of the payments for your order ${told.order.number} was replaced by another transaction, or dropped by the network: it will not arrive as it was sent. If it was not you who replaced it, look into your wallet first: it may send it again by itself.`,
  );

export function overpaid(told: OrderMailData): MailContent {
  const { order } = told;
  const surplus = computeSurplus(told);
  if (!isPaidNow(told) || surplus === 0n) return writePaymentChanged(told);
  const canGoBack = surplus >= MIN_REFUND_SATS;
  // Older kinds of addresses can't receive so little.
  const isLittle = canGoBack && surplus < MIN_REFUND_TO_ANY_ADDRESS_SATS;
  return {
    subject: `Order ${order.number}: you sent ${formatBtc(surplus)} too much`,
    title: `${formatBtc(surplus)} too much`,
    preview: canGoBack ? 'Tell us where to send it.' : 'Your order is paid.',
    blocks: [
      text(
        canGoBack
          ? `More has arrived for your order ${order.number} than was due, and what is too much goes back to you. Open your order and name an address of your own wallet, not of an exchange${isLittle ? '; so little can be sent to a native SegWit address only' : ''}; if you have confirmed ${isLittle ? 'such a one' : 'one'} already, there is nothing to do.`
          : `A little more has arrived for your order ${order.number} than was due. The network refuses to carry so small an amount, so it can’t be sent back; if more should come, all of it can.`,
      ),
      {
        kind: 'facts',
        facts: [
          createAmountFact('Too much', surplus),
          createAmountFact('Received', order.payment.received_btc),
          createAmountFact('Was due', order.payment.amount_btc),
        ],
      },
      orderLink(told),
    ],
  };
}

/** Why a payment that came after the order was closed does not pay it. */
const AFTER: Readonly<Record<OrderMailData['order']['payment_status'], string | null>> = {
  pending: null,
  user_paid: null,
  paid: null,
  expired: null,
  cancelled: 'cancelled',
  refunded: 'refunded',
};

const DONE_WITH: Readonly<Record<OrderMailData['order']['payment']['state'], string | null>> = {
  awaiting: null,
  seen: null,
  confirming: null,
  underpaid: null,
  paid: null,
  overpaid: null,
  late: null,
  expired: null,
  replaced: null,
  dropped: null,
  reorged_out: null,
  refunding: 'to be refunded',
  refunded: null,
  written_off: 'closed',
};

export function late(told: OrderMailData): MailContent | null {
  const { order } = told;
  const { received_btc: received, seen_in_time: isInTime, state } = order.payment;
  // It has left since, and another mail says so.
  if (received === 0n) return null;
  const after = AFTER[order.payment_status] ?? DONE_WITH[order.payment.state];
  if (after !== null) {
    return {
      subject: `Order ${order.number}: a payment after it was ${after}`,
      title: `Your payment came after the order was ${after}`,
      preview: 'Nothing is lost.',
      blocks: [
        text(
          `A payment for your order ${order.number} arrived after it was ${after}; with it, we have received ${formatBtc(received)}. Nothing is lost: we settle it with you or send it back. ${order.payment_status === 'refunded' ? 'Write to us where to send it, unless you have confirmed an address already.' : 'Leave an address for that with your order.'}`,
        ),
        orderLink(told),
      ],
    };
  }
  // Accepted or decided about since: the receipt, or what it waits for, is told by another mail.
  if (state !== 'late') return null;
  const what = `${formatBtc(received)} for your order ${order.number}`;
  return {
    subject: `Order ${order.number}: your payment came late`,
    title: isInTime ? 'The order was closed when we saw your payment' : 'We saw your payment after the time was over',
    preview: 'Nothing is lost.',
    blocks: [
      text(
        `${isInTime ? `${what} have arrived, and the order holds price and stock no longer` : `${what} have arrived, and the whole amount was there only after the time was over`}. Nothing is lost: once the payment is confirmed we take it if the price still fits and everything is in stock, and send you the receipt. Otherwise we write to you and settle it or send it back.`,
      ),
      orderLink(told),
    ],
  };
}
