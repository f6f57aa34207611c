/** Mails about payments: seen, partial, overpaid, late. */
import { formatBtc } from '#src/shop/format-number.ts';
import { sats, subtractSats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import {
  MIN_REFUND_SATS,
  MIN_REFUND_TO_ANY_ADDRESS_SATS,
  toSendableSats,
} from '#src/shop/payments/ledger/min-refund.ts';
import { isConfirmingState, isLateState, isPartState, isWholeRefund } from '#src/shop/payments/ledger/payment-state.ts';
import type { WholeRefundState } from '#src/shop/payments/ledger/payment-state.ts';
import {
  createAmountFact,
  formatConfirmations,
  writePaymentChanged,
  isClosed,
  isPaidNow,
  NOTHING_LOST,
  orderLink,
  writeUnlessChanged,
  payLink,
  computeSurplus,
  createText,
  formatTime,
} from './order-mail-parts.ts';
import type { OrderMailData, OrderMailWriters, MailContent } from './order-mail-parts.ts';
import type { MailBlock } from './render-mail.ts';

const followLink = ({ payUrl }: OrderMailData): MailBlock => ({
  kind: 'link',
  label: 'View payment',
  url: payUrl,
});

/** When the payment is final, as text. */
function describeFinality({ order }: OrderMailData): string {
  const { required_confirmations: needed, transactions } = order.payment;
  const isSlow = transactions.some(({ is_fee_low: isLow }) => isLow);
  const usually = `, usually within ${needed * 10} to ${needed * 20} minutes`;
  return `final after ${formatConfirmations(needed)}${isSlow ? '. Its fee is low, so this may take long' : usually}`;
}

/**
 * The payment is unconfirmed. The receipt follows when it is final, or another mail if it leaves.
 */
const isOnItsWay = ({ order: { payment } }: OrderMailData): boolean => isConfirmingState(payment.state);

function writeSeen(data: OrderMailData): MailContent | null {
  const { order } = data;
  if (!isOnItsWay(data)) return null;
  const received = formatBtc(order.payment.received_btc);
  return {
    subject: `Order ${order.number}: we have seen your payment`,
    title: 'We have seen your payment',
    preview: `${received} is on its way.`,
    blocks: [
      createText(
        `${received} for your order ${order.number} is on its way. The payment is ${describeFinality(data)}. You don’t need to do anything: we write to you when it is final.`,
      ),
      followLink(data),
    ],
  };
}

/** After a mail said that the payment had left. */
function writeBack(data: OrderMailData): MailContent | null {
  const { order } = data;
  if (!isOnItsWay(data)) return null;
  return {
    subject: `Order ${order.number}: the full amount is on its way again`,
    title: 'The full amount is on its way again',
    preview: 'Please don’t pay again.',
    blocks: [
      createText(
        `We see ${formatBtc(order.payment.received_btc)} for your order ${order.number} again, which is enough. It is ${describeFinality(data)}. Please don’t pay again. If you already did, we refund the difference.`,
      ),
      followLink(data),
    ],
  };
}

function createMissingFacts({ order, event }: OrderMailData, missing: Sats): MailBlock {
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

/** A partial payment of an order that is closed. */
function writePartOfClosed(data: OrderMailData, missing: Sats): MailContent {
  const { order, event } = data;
  const isExpired = order.payment_status === 'expired';
  const start = `Part of the payment for your order ${order.number} has arrived, but`;
  return {
    subject: isExpired
      ? `Order ${order.number}: ${formatBtc(missing)} still missing`
      : `Order ${order.number}: payment received after it was ${order.payment_status}`,
    title: 'Part of your payment has arrived',
    preview: `${formatBtc(event.receivedSats)} of ${formatBtc(event.dueSats)} received.`,
    blocks: [
      createText(
        isExpired
          ? `${start} the order has expired. Please don’t send more for now. While the items are available, open your order to get a new quote, in which your payment counts, or write to us for a refund.`
          : `${start} the order is ${order.payment_status}. Please don’t send more. Open your order and enter a refund address, or write to us.`,
      ),
      createMissingFacts(data, missing),
      orderLink(data),
      createText(NOTHING_LOST),
    ],
  };
}

function writeStillMissing(data: OrderMailData, title: string, message: string): MailContent {
  const { order, event } = data;
  const missing = sats(toSendableSats(subtractSats(event.dueSats, event.receivedSats), order.payment.address));
  const { amount_btc: due, received_btc: received, state } = order.payment;
  const isSame = due === event.dueSats && received === event.receivedSats && isPartState(state);
  if (isClosed(data) && isSame) return writePartOfClosed(data, missing);
  return writeUnlessChanged(data, () => ({
    subject: `Order ${order.number}: ${formatBtc(missing)} still missing`,
    title: title === '' ? `${formatBtc(missing)} still missing` : title,
    preview: `${formatBtc(event.receivedSats)} of ${formatBtc(event.dueSats)} received.`,
    blocks: [
      createText(`${message} Please send the rest to the same address by ${formatTime(order.expires_at)}.`),
      createMissingFacts(data, missing),
      payLink(data),
      createText(NOTHING_LOST),
    ],
  }));
}

const writeUnderpaid = (data: OrderMailData): MailContent =>
  writeStillMissing(
    data,
    '',
    `Only part of the payment for your order ${data.order.number} has arrived. Often an exchange or a wallet deducted its fee.`,
  );

const writePartLeft = (data: OrderMailData): MailContent =>
  writeStillMissing(
    data,
    'Part of your payment will not arrive',
    `One of the payments for your order ${data.order.number} was replaced by another transaction, or dropped by the network, and no longer counts. If you did not replace it, check your wallet first: it may send the payment again.`,
  );

function writeOverpaid(data: OrderMailData): MailContent {
  const { order } = data;
  const surplus = computeSurplus(data);
  if (!isPaidNow(data) || surplus === 0n) return writePaymentChanged(data);
  const canGoBack = surplus >= MIN_REFUND_SATS;
  // Older address types have a higher dust limit.
  const isLittle = canGoBack && surplus < MIN_REFUND_TO_ANY_ADDRESS_SATS;
  return {
    subject: `Order ${order.number}: you sent ${formatBtc(surplus)} too much`,
    title: `You sent ${formatBtc(surplus)} too much`,
    preview: canGoBack ? 'Enter a refund address.' : 'Your order is paid.',
    blocks: [
      createText(
        canGoBack
          ? `You sent more than the amount due for your order ${order.number}, and we refund the difference. Open your order and enter a Bitcoin address of your own wallet, not of an exchange${isLittle ? '. Such a small amount needs a native SegWit address' : ''}. If you have already confirmed ${isLittle ? 'such an address' : 'one'}, you don’t need to do anything.`
          : `You sent a little more than the amount due for your order ${order.number}. The network does not relay such a small amount, so we can’t refund it unless more arrives.`,
      ),
      {
        kind: 'facts',
        facts: [
          createAmountFact('Too much', surplus),
          createAmountFact('Received', order.payment.received_btc),
          createAmountFact('Amount due', order.payment.amount_btc),
        ],
      },
      orderLink(data),
    ],
  };
}

/** Why a payment after the order was closed does not pay it. */
const AFTER: Readonly<Record<OrderMailData['order']['payment_status'], string | null>> = {
  pending: null,
  user_paid: null,
  paid: null,
  expired: null,
  cancelled: 'cancelled',
  refunded: 'refunded',
};

const DONE_WITH: Readonly<Record<WholeRefundState, string | null>> = {
  refunding: 'refunding',
  refunded: null,
  written_off: 'closed',
};

/** "it was cancelled", or "the order was cancelled". */
const describeEnd = (end: string, order: 'it' | 'the order'): string =>
  end === 'refunding' ? `${order === 'it' ? 'its' : 'the'} refund was started` : `${order} was ${end}`;

function writeLate(data: OrderMailData): MailContent | null {
  const { order } = data;
  const { received_btc: received, seen_in_time: isInTime, state } = order.payment;
  // The payment has left since then. Another mail covers that.
  if (received === 0n) return null;
  const end = AFTER[order.payment_status] ?? (isWholeRefund(state) ? DONE_WITH[state] : null);
  if (end !== null) {
    const after = describeEnd(end, 'it');
    return {
      subject: `Order ${order.number}: payment received after ${after}`,
      title: `Your payment arrived after ${describeEnd(end, 'the order')}`,
      preview: 'Your payment is safe.',
      blocks: [
        createText(
          `A payment for your order ${order.number} arrived after ${after}. In total we received ${formatBtc(received)}. Your payment is safe: we refund it, or write to you about it. ${order.payment_status === 'refunded' ? 'Write to us where to send it, unless you have confirmed a refund address.' : 'Open your order and enter a refund address.'}`,
        ),
        orderLink(data),
      ],
    };
  }
  // It has been accepted or decided since then. Another mail covers that.
  if (!isLateState(state)) return null;
  const what = `${formatBtc(received)} for your order ${order.number}`;
  return {
    subject: `Order ${order.number}: your payment arrived late`,
    title: isInTime ? 'The order was closed when we saw your payment' : 'Your payment arrived late',
    preview: 'Your payment is safe.',
    blocks: [
      createText(
        `${isInTime ? `${what} arrived, but its price and items are no longer reserved` : `${what} arrived, but the full amount did not arrive in time`}. Your payment is safe: once it is confirmed, we accept it if the price still fits and everything is in stock, and send you the receipt. Otherwise we write to you, and complete your order or refund you.`,
      ),
      orderLink(data),
    ],
  };
}

export const paymentMails = {
  seen: writeSeen,
  back: writeBack,
  underpaid: writeUnderpaid,
  'part-left': writePartLeft,
  overpaid: writeOverpaid,
  late: writeLate,
} as const satisfies OrderMailWriters;
