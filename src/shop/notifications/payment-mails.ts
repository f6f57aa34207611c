/** Mails of a payment on its way: what has arrived, what is missing, what came late. */
import { subtractSats } from '../money.ts';
import { amountFact, blocksOf, btc, NOTHING_LOST, orderLink, payLink, text, time } from './order-mail-parts.ts';
import type { OrderToTell, Written } from './order-mail-parts.ts';
import type { MailBlock } from './render-mail.ts';

export function seen(told: OrderToTell): Written {
  const { order, happened } = told;
  const needed = order.payment.required_confirmations;
  return {
    subject: `Order ${order.number}: we have seen your payment`,
    title: 'We have seen your payment',
    preview: `${btc(happened.receivedSats)} are on their way.`,
    blocks: [
      text(
        `${btc(happened.receivedSats)} for your order ${order.number} are on their way. The payment is final after ${blocksOf(needed)}, usually within ${needed * 10} to ${needed * 20} minutes. There is nothing more for you to do: we write again when it is.`,
      ),
      { kind: 'link', label: 'Follow the payment', url: told.payUrl },
    ],
  };
}

export function underpaid(told: OrderToTell): Written {
  const { order, happened } = told;
  const missing = subtractSats(happened.dueSats, happened.receivedSats);
  const isOver = order.payment_status === 'expired' || order.payment_status === 'cancelled';
  const facts: MailBlock = {
    kind: 'facts',
    facts: [
      amountFact('Still missing', missing),
      amountFact('Received', happened.receivedSats),
      amountFact('Of', happened.dueSats),
      { label: 'Address', value: order.payment.address, isCode: true },
    ],
  };
  const words = isOver
    ? [
        text(
          `A part of the payment for your order ${order.number} has arrived, but the time for it is over: please send nothing more for now. Open your order to get a new quote, in which what you have sent counts, or write to us and we send it back.`,
        ),
        facts,
        orderLink(told),
      ]
    : [
        text(
          `Only a part of the payment for your order ${order.number} is here. Please send the rest to the same address until ${time(order.expires_at)}. Often it is the fee of an exchange or a wallet that is missing.`,
        ),
        facts,
        payLink(told),
      ];
  return {
    subject: `Order ${order.number}: ${btc(missing)} are still missing`,
    title: isOver ? 'A part of your payment has arrived' : `${btc(missing)} are still missing`,
    preview: `${btc(happened.receivedSats)} of ${btc(happened.dueSats)} have arrived.`,
    blocks: [...words, text(NOTHING_LOST)],
  };
}

export function late(told: OrderToTell): Written {
  const { order, happened } = told;
  if (order.payment_status === 'cancelled') {
    return {
      subject: `Order ${order.number}: a payment after it was cancelled`,
      title: 'Your payment came after the order was cancelled',
      preview: 'Nothing is lost.',
      blocks: [
        text(
          `${btc(happened.receivedSats)} for your order ${order.number} arrived after it was cancelled. Nothing is lost: we settle it with you or send it back. Leave an address for that with your order.`,
        ),
        orderLink(told),
      ],
    };
  }
  return {
    subject: `Order ${order.number}: your payment came late`,
    title: 'Your payment came after the time was over',
    preview: 'Nothing is lost.',
    blocks: [
      text(
        `${btc(happened.receivedSats)} for your order ${order.number} arrived after its time was over. Nothing is lost: once the payment is confirmed we take it if the rate still fits and everything is in stock, and send you the receipt. Otherwise we write to you and settle it or send it back.`,
      ),
      orderLink(told),
    ],
  };
}
