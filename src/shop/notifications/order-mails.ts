/** Mails of the order itself: made, quoted again, paid, expired, cancelled, shipped. */
import { NO_SATS, subtractSats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { findCountryName } from '#src/shop/regions.ts';
import {
  ABOUT_LINK,
  createAmountFact,
  formatBtc,
  writePaymentChanged,
  isPaidNow,
  createLinesBlock,
  NOTHING_LOST,
  orderLink,
  writeUnlessChanged,
  payLink,
  computeSurplus,
  text,
  formatTime,
  formatUsdAmount,
  writeCurrentState,
} from './order-mail-parts.ts';
import type { OrderMailData, MailContent } from './order-mail-parts.ts';
import type { Fact, MailBlock } from './render-mail.ts';
import { createGreeting } from './user-text.ts';

/** Scarce items; nothing for an order that is reserved for the whole window. */
const brieflyReserved = ({ order }: OrderMailData): readonly MailBlock[] =>
  order.is_briefly_reserved
    ? [
        text(
          `The items in this order are almost sold out. They are reserved until ${formatTime(order.expires_at)}; once at least half of the amount is seen on the network, they stay reserved longer.`,
        ),
      ]
    : [];

export function made(told: OrderMailData): MailContent {
  const { order, username, rate } = told;
  const { address, amount_btc: due } = order.payment;
  const title = `Thank you for your order ${order.number}`;
  const now = writeCurrentState(told);
  if (now) {
    return {
      ...now,
      subject: `Order ${order.number}: we have your order`,
      title,
      blocks: [...now.blocks, createLinesBlock(told)],
    };
  }
  return {
    subject: `Order ${order.number}: ${formatBtc(due)} to pay`,
    title,
    preview: `Please send ${formatBtc(due)} until ${formatTime(order.expires_at)}.`,
    blocks: [
      text(`${createGreeting(username)} we have your order. Please send exactly this amount to this address:`),
      {
        kind: 'facts',
        facts: [
          createAmountFact('Amount', due),
          { label: 'Address', value: address, isCode: true },
          { label: 'Pay until', value: formatTime(order.expires_at) },
          { label: 'Rate', value: `1 BTC = ${formatUsdAmount(rate)}` },
        ],
      },
      ...brieflyReserved(told),
      payLink(told),
      ABOUT_LINK,
      text(
        'If you pay from an exchange, mind its fee: the whole amount has to arrive. The payment page shows the same address; should the two ever differ, send nothing and write to us.',
      ),
      createLinesBlock(told),
    ],
  };
}

/** The amount of the mails before does not hold any more. */
export function requoted(told: OrderMailData): MailContent {
  const { order, event, rate } = told;
  const missing = subtractSats(event.dueSats, event.receivedSats);
  const counts = event.receivedSats > 0n ? ` What you have sent, ${formatBtc(event.receivedSats)}, counts.` : '';
  return writeUnlessChanged(told, () => ({
    subject: `Order ${order.number}: the new amount is ${formatBtc(missing)}`,
    title: 'Your order has a new price in bitcoin',
    preview: `Please send ${formatBtc(missing)} until ${formatTime(order.expires_at)}.`,
    blocks: [
      text(
        `The dollars of your order ${order.number} are the same, and the rate is a new one. The amount that you were told before does not hold any more.${counts} Please send exactly this amount to this address, which is still the same:`,
      ),
      {
        kind: 'facts',
        facts: [
          createAmountFact('Amount', missing),
          { label: 'Address', value: order.payment.address, isCode: true },
          { label: 'Pay until', value: formatTime(order.expires_at) },
          { label: 'Rate', value: `1 BTC = ${formatUsdAmount(rate)}` },
        ],
      },
      ...brieflyReserved(told),
      payLink(told),
    ],
  }));
}

/** Once it is paid; of a late payment it says that it was taken all the same. */
export const paidLate = (told: OrderMailData): MailContent =>
  receipt(
    told,
    `Your payment for order ${told.order.number} came late, and we have accepted it all the same: the order is paid${gettingReady(told)}. This is your receipt.`,
  );

export const paid = (told: OrderMailData): MailContent =>
  receipt(told, `Your order ${told.order.number} is paid${gettingReady(told)}. This is your receipt.`);

const gettingReady = ({ order: { fulfilment_status: fulfilment } }: OrderMailData): string =>
  fulfilment === 'unfulfilled' ? ', and we are getting it ready' : '';

/** A receipt is sent once, so also when the payment has changed before it is written: then it says so. */
function receipt(told: OrderMailData, words: string): MailContent {
  const { order, event, rate } = told;
  const { payment } = order;
  const isPaid = isPaidNow(told);
  const isReady = isPaid && order.fulfilment_status === 'unfulfilled';
  const surplus = isPaid ? computeSurplus(told) : NO_SATS;
  return {
    subject: `Receipt for order ${order.number}`,
    title: isPaid ? 'Thank you. Your payment is confirmed' : 'Your receipt',
    preview: isReady
      ? `${formatUsdAmount(order.total_usd_after)} paid; we are getting your order ready.`
      : `${formatUsdAmount(order.total_usd_after)} paid on ${formatTime(event.at)}.`,
    blocks: [
      text(
        isPaid
          ? words
          : `Your order ${order.number} was paid on ${formatTime(event.at)}. That has changed since then: your order shows how it stands now.`,
      ),
      createLinesBlock(told),
      {
        kind: 'facts',
        facts: [
          { label: 'Order', value: `${order.number}, ${formatTime(order.created_at)}` },
          { label: 'Paid', value: formatTime(event.at) },
          ...(payment.amount_btc === 0n
            ? []
            : [
                createAmountFact('Amount', payment.amount_btc),
                { label: 'Rate', value: `1 BTC = ${formatUsdAmount(rate)}` },
              ]),
          ...payment.transactions.map(({ txid, amount_btc: amount }) => ({
            label: `Transaction (${formatBtc(amount)})`,
            value: txid,
            isCode: true,
          })),
          ...deliveryFact(told),
        ],
      },
      ...(surplus > 0n
        ? [text(`You have sent ${formatBtc(surplus)} more than was due. It goes back to you; another mail says how.`)]
        : []),
      orderLink(told),
    ],
  };
}

/** Where the order goes, for a reader whose address is confirmed; others find it with the order. */
function deliveryFact({ username, order: { billing } }: OrderMailData): readonly Fact[] {
  if (username === null) return [];
  const country = findCountryName(billing.country) ?? billing.country;
  const street = `${billing.streetAddress} ${billing.houseNumber}`;
  const value = `${billing.firstName} ${billing.lastName}, ${street}, ${billing.postcode} ${billing.city}, ${country}`;
  return [{ label: 'Deliver to', value }];
}

/** It was quoted again since, or is paid, cancelled or refunded: what became of it is told by another mail. */
const isStillExpired = ({ order: { payment, payment_status: status } }: OrderMailData): boolean =>
  status === 'expired' && payment.state !== 'late' && payment.state !== 'refunding' && payment.state !== 'written_off';

export function expired(told: OrderMailData): MailContent | null {
  const { order, event } = told;
  if (!isStillExpired(told)) return null;
  // Dust can't be sent back.
  const hasPart = event.receivedSats >= MIN_REFUND_SATS;
  const words = hasPart
    ? `The time to pay your order ${order.number} is over, and only ${formatBtc(event.receivedSats)} of ${formatBtc(event.dueSats)} had arrived. What you have sent is not lost: get a new quote with your order, in which it counts, or write to us and we send it back.`
    : `The time to pay your order ${order.number} is over, and ${event.receivedSats > 0n ? 'only dust' : 'no payment'} had arrived. Please send nothing to its address any more.`;
  return {
    subject: `Order ${order.number} has expired`,
    title: 'Your order has expired',
    preview: 'You can still have it: get a new quote.',
    blocks: [
      text(words),
      text(
        'You still want it? Open your order and get a new quote: the same products at the same price in dollars, at the present rate of bitcoin, as long as they are in stock.',
      ),
      orderLink(told),
      ...(hasPart
        ? []
        : [
            text(
              'Have you paid all the same? Then don’t worry: we watch the address for good, and write to you when the payment arrives.',
            ),
          ]),
    ],
  };
}

/** Staff ended the reservation; nothing had been paid. */
export function released(told: OrderMailData): MailContent | null {
  const { order } = told;
  if (!isStillExpired(told)) return null;
  return {
    subject: `Order ${order.number}: the items are no longer reserved`,
    title: 'Your items are no longer reserved',
    preview: 'Please don’t pay for this order as it is.',
    blocks: [
      text(
        `We ended the reservation of the items in your order ${order.number}, and no payment had been seen. Please send nothing to its address for now.`,
      ),
      text(
        'You still want it? Open your order and get a new quote, as long as the items are in stock. Have you paid already? Nothing is lost: we watch the address, and write to you when the payment arrives.',
      ),
      orderLink(told),
    ],
  };
}

/** A payment that a new quote counted on has left, and with it the quote. */
export function quoteVoid(told: OrderMailData): MailContent | null {
  const { order } = told;
  if (!isStillExpired(told)) return null;
  const { received_btc: received } = order.payment;
  return {
    subject: `Order ${order.number}: the quote does not hold any more`,
    title: 'The quote does not hold any more',
    preview: 'Please don’t pay it; get a new one.',
    blocks: [
      text(
        `The amount for your order ${order.number} counted on a payment that is not there any more. Please don’t send that amount: open your order and get a new quote, at the same price in dollars.${received > 0n ? ` The ${formatBtc(received)} that are there count.` : ''}`,
      ),
      orderLink(told),
      text(NOTHING_LOST),
    ],
  };
}

export function cancelled(told: OrderMailData): MailContent {
  const { order, event } = told;
  if (order.payment_status !== 'cancelled') return writePaymentChanged(told);
  // Staff gave it up, in words; of its buyer's own accord there are none.
  const because = event.words === '' ? ', and what you had in it is back in your cart' : `: ${event.words}`;
  const { received_btc: part, returned_btc: returned, state } = order.payment;
  // Dust can't be sent back, nor what went back before.
  const canGoBack = (state === 'late' || state === 'underpaid') && part - returned >= MIN_REFUND_SATS;
  return {
    subject: `Order ${order.number} is cancelled`,
    title: 'Your order is cancelled',
    preview: 'Please don’t pay it any more.',
    blocks: [
      text(
        `Your order ${order.number} is cancelled${because}. Please don’t pay it any more. Have you sent something already? Nothing is lost: we watch its address for good, and write to you when a payment arrives.`,
      ),
      ...(canGoBack
        ? [text(`${formatBtc(part)} are here. Name an address with your order, and we send them back.`)]
        : []),
      orderLink(told),
    ],
  };
}

/** Staff took what had arrived for the whole. */
export function settled(told: OrderMailData): MailContent {
  const { order } = told;
  if (!isPaidNow(told)) return writePaymentChanged(told);
  return {
    subject: `Order ${order.number}: we have accepted your payment as it is`,
    title: 'We have accepted your payment as it is',
    preview: 'Nothing more is to be sent.',
    blocks: [
      text(
        `We have looked at the payment for your order ${order.number} and take the ${formatBtc(order.payment.amount_btc)} that have arrived as the whole of it. Nothing more is to be sent: the order is paid.`,
      ),
      orderLink(told),
    ],
  };
}

export function shipped(told: OrderMailData): MailContent {
  const { order, trackingReference: reference } = told;
  const facts: readonly Fact[] = [
    { label: 'Order', value: order.number },
    ...(reference === null ? [] : [{ label: 'Tracking reference', value: reference, isCode: true }]),
  ];
  const help = 'Your order shows where it goes. If something is wrong with the address, please write to us at once.';
  return {
    subject: `Order ${order.number} is on its way`,
    title: 'Your order is on its way',
    preview: reference === null ? 'We have handed it to the courier.' : `Tracking reference ${reference}`,
    blocks: [
      text(
        `We have handed your order ${order.number} to the courier${reference === null ? '' : ', who finds the parcel by this reference'}.`,
      ),
      { kind: 'facts', facts },
      text(help),
      orderLink(told),
      createLinesBlock(told),
    ],
  };
}
