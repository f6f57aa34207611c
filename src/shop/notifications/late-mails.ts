/** Mails about late payments that wait for staff, a rate or a block. */
import { formatBtc } from '#src/shop/format-number.ts';
import { isLateState } from '#src/shop/payments/ledger/payment-state.ts';
import { NOTHING_LOST, orderLink, createText } from './order-mail-parts.ts';
import type { OrderMailData, OrderMailWriters, MailContent } from './order-mail-parts.ts';

const NO_REPAYMENT = 'please don’t pay again';
const UNDER_REVIEW = `We review it and then complete your order or refund you: ${NO_REPAYMENT}.`;

/**
 * Why a late payment is not accepted yet, and the next step. Evaluated when the mail is written.
 */
function describeReason({ event, late }: OrderMailData): readonly [string, string] {
  const { because, missingSats } = late;
  switch (because) {
    case 'rate':
      return missingSats === 0n
        ? ['The bitcoin price has changed since then, so we could not accept the payment automatically', UNDER_REVIEW]
        : [
            `At today’s price the order costs ${formatBtc(missingSats)} more than you sent, so we could not accept the payment automatically`,
            'Open your order to pay the difference at today’s price. Everything you sent counts. Or wait: if the price recovers we accept your payment, otherwise we write to you.',
          ];
    case 'too-late':
      return [
        'The order expired too long ago to keep its price, so we could not accept the payment automatically',
        'Open your order to get a new price, in which everything you sent counts. Or wait: we review it and write to you.',
      ];
    case 'unavailable':
      return ['The order can’t be completed at today’s prices', UNDER_REVIEW];
    case 'no-rate':
      return ['We have no bitcoin price right now', `We check your payment as soon as we do: ${NO_REPAYMENT}.`];
    case 'sold-out':
    case 'promo':
      return [
        `${event.words || 'An item is no longer available'}, so we could not accept the payment automatically`,
        UNDER_REVIEW,
      ];
    case null:
      return ['We check that the price still fits and everything is in stock', UNDER_REVIEW];
    default:
      return because satisfies never;
  }
}

/** A confirmed late payment that was not accepted automatically. Null once it is decided. */
function writeLateWaits(data: OrderMailData): MailContent | null {
  const { order } = data;
  const { payment, payment_status: status } = order;
  const isConfirmed = payment.confirmations >= payment.required_confirmations;
  if (status === 'paid' || !isLateState(payment.state) || !isConfirmed) return null;
  const [why, next] = describeReason(data);
  return {
    subject: `Order ${order.number}: we are reviewing your late payment`,
    title: 'We are reviewing your late payment',
    preview: 'Your payment is safe.',
    blocks: [
      createText(
        `${formatBtc(payment.received_btc)} for your order ${order.number} arrived after its price had expired, and is now confirmed. ${why}. ${next}`,
      ),
      createText(
        'Do you want a refund instead? Open your order and enter a Bitcoin address of your own wallet, or write to us.',
      ),
      orderLink(data),
    ],
  };
}

/** A payment made in time that stays unconfirmed for too long. Null once it is confirmed. */
function writeUnconfirmed(data: OrderMailData): MailContent | null {
  const { order } = data;
  const { payment, payment_status: status } = order;
  if (status !== 'expired' || !isLateState(payment.state) || payment.confirmations > 0) return null;
  return {
    subject: `Order ${order.number}: your payment is still unconfirmed`,
    title: 'Your payment is still unconfirmed',
    preview: 'The price and the items are no longer reserved.',
    blocks: [
      createText(
        `You sent ${formatBtc(payment.received_btc)} for your order ${order.number} in time, but the network has not confirmed it yet. Usually the fee is too low. The price and the items are no longer reserved. Your payment is safe: once it is confirmed, we accept it if the price still fits and everything is in stock, and send you the receipt. Otherwise we write to you, and complete your order or refund you.`,
      ),
      createText(
        'To speed it up, raise the fee in your wallet (“bump fee” or RBF), or spend the change of the payment with a higher fee (CPFP). Please don’t send the amount again.',
      ),
      orderLink(data),
      createText(NOTHING_LOST),
    ],
  };
}

export const lateMails = {
  'late-waits': writeLateWaits,
  unconfirmed: writeUnconfirmed,
} as const satisfies OrderMailWriters;
