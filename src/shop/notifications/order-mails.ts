/** Mails about the order: placed, requoted, paid, expired, cancelled, shipped. */
import { formatBtc, formatUsd } from '#src/shop/format-number.ts';
import { NO_SATS, sats, subtractSats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS, toSendableSats } from '#src/shop/payments/ledger/min-refund.ts';
import { hasUncountedMoney, isLateState, isWholeRefund } from '#src/shop/payments/ledger/payment-state.ts';
import {
  ABOUT_LINK,
  createAmountFact,
  createDeliveryFact,
  writePaymentChanged,
  isPaidNow,
  createLinesBlock,
  NOTHING_LOST,
  orderLink,
  writeUnlessChanged,
  payLink,
  computeSurplus,
  createText,
  formatTime,
  writeCurrentState,
} from './order-mail-parts.ts';
import type { OrderMailData, OrderMailWriters, MailContent } from './order-mail-parts.ts';
import type { MailBlock } from './render-mail.ts';
import { createGreeting } from './user-text.ts';

/** Scarce items. Empty for an order that is reserved for the whole window. */
const writeBrieflyReserved = ({ order }: OrderMailData): readonly MailBlock[] =>
  order.is_briefly_reserved
    ? [
        createText(
          `The items in this order are almost sold out. They are reserved until ${formatTime(order.expires_at)}. Once we see at least half of the amount on the network, they stay reserved longer.`,
        ),
      ]
    : [];

/** How the buyer of an order that staff created reaches it. Empty for other orders. */
const writeAboutManual = ({ isManual = false }: OrderMailData): readonly MailBlock[] =>
  isManual
    ? [
        createText(
          'To see this order on our website, log in with this email address. If you have no password yet, choose “Lost password” on the login page.',
        ),
      ]
    : [];

function writeMade(data: OrderMailData): MailContent {
  const { order, username, rate } = data;
  const { address, amount_btc: dueSats } = order.payment;
  const due = sats(toSendableSats(dueSats, address));
  const title = `Thank you for your order ${order.number}`;
  const now = writeCurrentState(data);
  if (now) {
    return {
      ...now,
      subject: `Order ${order.number}: we have your order`,
      title,
      blocks: [...now.blocks, createLinesBlock(data)],
    };
  }
  return {
    subject: `Order ${order.number}: ${formatBtc(due)} to pay`,
    title,
    preview: `Please send ${formatBtc(due)} by ${formatTime(order.expires_at)}.`,
    blocks: [
      createText(
        data.isManual === true
          ? `${createGreeting(username)} we created this order for you. The price in bitcoin is fixed until ${formatTime(order.expires_at)}. Please send exactly this amount to this address:`
          : `${createGreeting(username)} we received your order. Please send exactly this amount to this address:`,
      ),
      {
        kind: 'facts',
        facts: [
          createAmountFact('Amount', due),
          { label: 'Address', value: address, isCode: true },
          { label: 'Pay by', value: formatTime(order.expires_at) },
          { label: 'Rate', value: `1 BTC = ${formatUsd(rate)}` },
        ],
      },
      ...writeBrieflyReserved(data),
      payLink(data),
      ABOUT_LINK,
      createText(
        'If you pay from an exchange, make sure that the full amount arrives after its fee. The payment page shows the same address. If the two differ, don’t pay, and write to us.',
      ),
      ...writeAboutManual(data),
      createLinesBlock(data),
    ],
  };
}

/** The amount of earlier mails is no longer valid. */
function writeRequoted(data: OrderMailData): MailContent {
  const { order, event, rate } = data;
  const missing = sats(toSendableSats(subtractSats(event.dueSats, event.receivedSats), order.payment.address));
  const counts = event.receivedSats > 0n ? ` The ${formatBtc(event.receivedSats)} that you sent counts.` : '';
  return writeUnlessChanged(data, () => ({
    subject: `Order ${order.number}: the new amount is ${formatBtc(missing)}`,
    title: 'Your order has a new price',
    preview: `Please send ${formatBtc(missing)} by ${formatTime(order.expires_at)}.`,
    blocks: [
      createText(
        `We updated the price of your order ${order.number}. It costs ${formatUsd(order.total_usd_after)}, and the earlier amount is no longer valid.${counts} Please send exactly this amount to the same address as before:`,
      ),
      {
        kind: 'facts',
        facts: [
          createAmountFact('Amount', missing),
          { label: 'Address', value: order.payment.address, isCode: true },
          { label: 'Pay by', value: formatTime(order.expires_at) },
          { label: 'Rate', value: `1 BTC = ${formatUsd(rate)}` },
        ],
      },
      ...writeBrieflyReserved(data),
      payLink(data),
    ],
  }));
}

/** Receipt; for a late payment it states that the payment was accepted. */
const writePaidLate = (data: OrderMailData): MailContent =>
  writeReceipt(
    data,
    `Your payment for order ${data.order.number} arrived late, and we accepted it: the order is paid${writeGettingReady(data)}. This is your receipt.`,
  );

const writePaid = (data: OrderMailData): MailContent =>
  writeReceipt(data, `Your order ${data.order.number} is paid${writeGettingReady(data)}. This is your receipt.`);

const writeGettingReady = ({ order: { fulfilment_status: fulfilment } }: OrderMailData): string =>
  fulfilment === 'unfulfilled' ? ', and we are preparing it' : '';

/** The receipt is sent once. It states if the payment changed before it is written. */
function writeReceipt(data: OrderMailData, message: string): MailContent {
  const { order, event, rate } = data;
  const { payment } = order;
  const isPaid = isPaidNow(data);
  const isReady = isPaid && order.fulfilment_status === 'unfulfilled';
  const surplus = isPaid ? computeSurplus(data) : NO_SATS;
  return {
    subject: `Receipt for order ${order.number}`,
    title: isPaid ? 'Thank you. Your payment is confirmed' : 'Your receipt',
    preview: isReady
      ? `${formatUsd(order.total_usd_after)} paid. We are preparing your order.`
      : `${formatUsd(order.total_usd_after)} paid on ${formatTime(event.at)}.`,
    blocks: [
      createText(
        isPaid
          ? message
          : `Your order ${order.number} was paid on ${formatTime(event.at)}. Its payment has changed since. Open your order to see its present status.`,
      ),
      createLinesBlock(data),
      {
        kind: 'facts',
        facts: [
          { label: 'Order', value: `${order.number}, ${formatTime(order.created_at)}` },
          { label: 'Paid', value: formatTime(event.at) },
          ...(payment.amount_btc === 0n
            ? []
            : [createAmountFact('Amount', payment.amount_btc), { label: 'Rate', value: `1 BTC = ${formatUsd(rate)}` }]),
          ...payment.transactions.map(({ txid, amount_btc: amount }) => ({
            label: `Transaction (${formatBtc(amount)})`,
            value: txid,
            isCode: true,
          })),
          ...createDeliveryFact(data),
        ],
      },
      ...(surplus > 0n
        ? [
            createText(
              `You sent ${formatBtc(surplus)} more than the amount due. We refund it, and explain how in another mail.`,
            ),
          ]
        : []),
      createText('You can download the invoice on the page of your order.'),
      orderLink(data),
    ],
  };
}

/** False if the order was requoted, paid, cancelled or refunded since then. Other mails cover these. */
const isStillExpired = ({ order: { payment, payment_status: status } }: OrderMailData): boolean =>
  status === 'expired' && !isLateState(payment.state) && !isWholeRefund(payment.state);

function writeExpired(data: OrderMailData): MailContent | null {
  const { order, event } = data;
  if (!isStillExpired(data)) return null;
  // Dust can't be refunded.
  const hasPart = event.receivedSats >= MIN_REFUND_SATS;
  const message = hasPart
    ? `Your order ${order.number} has expired. Only ${formatBtc(event.receivedSats)} of ${formatBtc(event.dueSats)} arrived in time. Your payment is not lost: while the items are available, open your order to get a new quote, in which it counts, or write to us for a refund.`
    : `Your order ${order.number} has expired: ${event.receivedSats > 0n ? 'only dust' : 'no payment'} arrived in time. Please don’t send anything to its address any more.`;
  return {
    subject: `Order ${order.number} has expired`,
    title: 'Your order has expired',
    preview: 'To buy the items, get a new quote.',
    blocks: [
      createText(message),
      createText(
        'Do you still want it? Open your order and get a new quote: the same products at their present price, while they are available.',
      ),
      orderLink(data),
      ...(hasPart
        ? []
        : [
            createText(
              'Did you already pay? Your payment is not lost. We watch the address permanently, and write to you when the payment arrives.',
            ),
          ]),
    ],
  };
}

/** Staff released the reservation of an unpaid order. */
function writeReleased(data: OrderMailData): MailContent | null {
  const { order } = data;
  if (!isStillExpired(data)) return null;
  return {
    subject: `Order ${order.number}: the items are no longer reserved`,
    title: 'Your items are no longer reserved',
    preview: 'Please don’t pay this order for now.',
    blocks: [
      createText(
        `We ended the reservation of the items in your order ${order.number}, and no payment had been seen. Please don’t send anything to its address for now.`,
      ),
      createText(
        'Do you still want it? Open your order and get a new quote, while the items are available. Did you already pay? Your payment is not lost. We watch the address, and write to you when the payment arrives.',
      ),
      orderLink(data),
    ],
  };
}

/** A payment that the quote counted is no longer live, so the quote is void. */
function writeQuoteVoid(data: OrderMailData): MailContent | null {
  const { order } = data;
  if (!isStillExpired(data)) return null;
  const { received_btc: received } = order.payment;
  return {
    subject: `Order ${order.number}: the amount is no longer valid`,
    title: 'The amount is no longer valid',
    preview: 'Get a new quote before you pay.',
    blocks: [
      createText(
        `The amount for your order ${order.number} is no longer valid: a payment that it counted has left the network. Please don’t send that amount. Open your order and get a new quote, while the items are available.${received > 0n ? ` The ${formatBtc(received)} that arrived counts.` : ''}`,
      ),
      orderLink(data),
      createText(NOTHING_LOST),
    ],
  };
}

function writeCancelled(data: OrderMailData): MailContent {
  const { order, event } = data;
  if (order.payment_status !== 'cancelled') return writePaymentChanged(data);
  // The reason if staff cancelled it; empty if the buyer did.
  const because = event.words === '' ? ', and its items are back in your cart' : `: ${event.words}`;
  const { received_btc: part, returned_btc: returned, state } = order.payment;
  // Dust can't be refunded, nor what was refunded before.
  const canGoBack = hasUncountedMoney(state) && part - returned >= MIN_REFUND_SATS;
  return {
    subject: `Order ${order.number} is cancelled`,
    title: 'Your order is cancelled',
    preview: 'Please don’t pay it.',
    blocks: [
      createText(
        `Your order ${order.number} is cancelled${because}. Please don’t pay it. Did you already pay? Your payment is not lost. We watch the address permanently, and write to you when a payment arrives.`,
      ),
      ...(canGoBack
        ? [
            createText(
              `We received ${formatBtc(part)}. Open your order and enter a refund address, and we send it back.`,
            ),
          ]
        : []),
      orderLink(data),
    ],
  };
}

/** Staff accepted the received amount as full payment. */
function writeAcceptedAsPaid(data: OrderMailData): MailContent {
  const { order } = data;
  if (!isPaidNow(data)) return writePaymentChanged(data);
  return {
    subject: `Order ${order.number}: we accepted your payment`,
    title: 'We accepted your payment',
    preview: 'You don’t need to send more.',
    blocks: [
      createText(
        `We accepted the ${formatBtc(order.payment.amount_btc)} that arrived for your order ${order.number} as full payment. You don’t need to send more: the order is paid.`,
      ),
      orderLink(data),
    ],
  };
}

export const orderMails = {
  made: writeMade,
  requoted: writeRequoted,
  paid: writePaid,
  'paid-late': writePaidLate,
  settled: writeAcceptedAsPaid,
  expired: writeExpired,
  'quote-void': writeQuoteVoid,
  released: writeReleased,
  cancelled: writeCancelled,
} as const satisfies OrderMailWriters;
