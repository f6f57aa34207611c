/** Mails of late payments that wait: for us, for a rate, or for a block. */
import { formatBtc, NOTHING_LOST, orderLink, text } from './order-mail-parts.ts';
import type { OrderMailData, MailContent } from './order-mail-parts.ts';

const NO_REPAYMENT = 'there is nothing to pay again';
const UNDER_REVIEW = `We look at it and settle it with you, or send it back: ${NO_REPAYMENT}.`;

/** Why a late payment waits, as it is when the mail is written, and what happens next. */
function describeReason({ event, late }: OrderMailData): readonly [string, string] {
  const { because, missingSats } = late;
  switch (because) {
    case 'rate':
      return missingSats === 0n
        ? [
            'At the present rate of bitcoin the price has changed, so we could not take them by themselves',
            UNDER_REVIEW,
          ]
        : [
            `At the present rate of bitcoin the order costs ${formatBtc(missingSats)} more than you sent, so we could not take them by themselves`,
            'Open your order to pay the difference at today’s price; all that you have sent counts. Or wait: if the rate comes back the order is paid by itself, else we write to you.',
          ];
    case 'no-rate':
      return ['There is no bitcoin price right now', `We check them as soon as there is one: ${NO_REPAYMENT}.`];
    case 'sold-out':
    case 'promo':
      return [
        `${event.words || 'Something that you ordered is gone'}, so we could not take them by themselves`,
        UNDER_REVIEW,
      ];
    case null:
      return ['We check that their price and everything that you ordered still fit', UNDER_REVIEW];
    default:
      return because satisfies never;
  }
}

/** A late payment that is confirmed and is not accepted by itself; nothing once it is decided about. */
export function lateWaits(told: OrderMailData): MailContent | null {
  const { order } = told;
  const { payment, payment_status: status } = order;
  const isConfirmed = payment.confirmations >= payment.required_confirmations;
  if (status === 'paid' || payment.state !== 'late' || !isConfirmed) return null;
  const [why, next] = describeReason(told);
  return {
    subject: `Order ${order.number}: your late payment waits for us`,
    title: 'Your late payment waits for us',
    preview: 'Nothing is lost.',
    blocks: [
      text(
        `${formatBtc(payment.received_btc)} for your order ${order.number} came too late for its price, and are confirmed. ${why}. ${next}`,
      ),
      text('You would rather have it back? Open your order and name an address of your own wallet, or write to us.'),
      orderLink(told),
    ],
  };
}

/** A payment in time that no block has taken for too long; nothing once one has. */
export function unconfirmed(told: OrderMailData): MailContent | null {
  const { order } = told;
  const { payment, payment_status: status } = order;
  if (status !== 'expired' || payment.state !== 'late' || payment.confirmations > 0) return null;
  return {
    subject: `Order ${order.number}: your payment is still unconfirmed`,
    title: 'Your payment is still unconfirmed',
    preview: 'We can hold price and stock no longer.',
    blocks: [
      text(
        `${formatBtc(payment.received_btc)} for your order ${order.number} were sent in time, but no block has taken them for too long: mostly the fee is too low. We can hold price and stock no longer. Nothing is lost: once the payment is confirmed we take it if the price still fits and everything is in stock, and send you the receipt. Otherwise we write to you and settle it or send it back.`,
      ),
      text(
        'To speed it up, raise the fee in your wallet, which calls that “bump fee” or RBF; or spend the change of the payment with a higher fee (CPFP). Please don’t send the amount a second time.',
      ),
      orderLink(told),
      text(NOTHING_LOST),
    ],
  };
}
