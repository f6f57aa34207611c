/** Texts of refund mails. */
import { formatBtc, formatUsd } from '#src/shop/format-number.ts';
import { formatDate, UTC } from '#src/shop/format.ts';
import { cents } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { RefundCovers } from '#src/shop/orders/kinds.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import { formatCoveredLines } from '#src/shop/refunds/lines/format-covered-lines.ts';
import type { CoveredLines } from '#src/shop/refunds/lines/format-covered-lines.ts';
import type { RefundMail } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { MailBlock, MailContents } from './render-mail.ts';
import { explainOrderMail, createGreeting } from './user-text.ts';

const createText = (content: string): MailBlock => ({ kind: 'text', text: content });

interface AddressMailData {
  /** Null until the buyer's address is confirmed. */
  readonly username: string | null;
  /** Of the order. */
  readonly number: string;
  readonly address: string;
  readonly token: string;
}

export function writeRefundAddressMail(
  { username, number, address, token }: AddressMailData,
  shopUrl: string,
): MailContents {
  return {
    subject: `Order ${number}: please confirm your refund address`,
    title: 'Is this your Bitcoin address?',
    preview: 'We send refunds only to confirmed addresses.',
    blocks: [
      createText(
        `${createGreeting(username)} this refund address was entered for your order ${number}. Compare all of it with the address in your wallet:`,
      ),
      { kind: 'facts', facts: [{ label: 'Address', value: address, isCode: true }] },
      createText('If it is yours, open the link and press Confirm. A refund to a wrong address can’t be recovered.'),
      { kind: 'link', label: 'Confirm this address', url: `${shopUrl}/confirm-refund-address/${token}` },
      createText(
        'The link works once, within seven days. Not your address? Don’t confirm it: somebody else may have your password. Change your password, and enter your own address on the order page.',
      ),
    ],
    reason: `You get this mail because a refund address was entered for your order ${number}.`,
  };
}

interface RefundMailData {
  /** Null until the buyer's address is confirmed. */
  readonly username: string | null;
  /** Of the order. */
  readonly number: string;
  readonly orderId: string;
  readonly covers: RefundCovers;
  /** What a refund of lines covers; null for another one. */
  readonly lines: RefundedLines | null;
  /** Dollars of a sale that it returns; null: of no sale. */
  readonly valueCents: Cents | null;
  /** Rate of a refund by value, and when it was found; null: the satoshis that were received. */
  readonly rate: CentsPerBtc | null;
  readonly rateAt: Date | null;
  readonly amountSats: Sats;
  readonly address: string;
  readonly txid: string | null;
  readonly mail: RefundMail;
}

interface RefundedLines extends CoveredLines {
  readonly total_usd: Cents;
}

const describeCovered = (covers: RefundCovers, lines: RefundedLines | null, number: string): string => {
  if (lines !== null) return `${formatCoveredLines(lines)} of order ${number}`;
  if (covers === 'amount') return `a part of your payment for order ${number}`;
  return covers === 'surplus' ? `your overpayment for order ${number}` : `your payment for order ${number}`;
};

/** "$999.00, at the bitcoin price of $97,650.00 on 28 November …". */
function listValueFacts({ covers, rate, rateAt, valueCents }: RefundMailData) {
  if (rate !== null && rateAt !== null && valueCents !== null) {
    const at = `${formatUsd(cents(rate))} for one bitcoin, on ${formatDate(rateAt, 'moment', UTC)}`;
    return [
      { label: 'Value', value: formatUsd(valueCents) },
      { label: 'Rate of the refund', value: at },
    ];
  }
  if (covers !== 'lines' && covers !== 'amount') return [];
  const value = valueCents === null ? [] : [{ label: 'Price', value: formatUsd(valueCents) }];
  return [...value, { label: 'Rate of the refund', value: 'The bitcoin price of your order' }];
}

interface RefundMailText {
  readonly subject: string;
  readonly title: string;
  readonly preview: string;
  readonly text: string;
}

/** @param what for example "your payment for order XY-100001" */
const REFUND_TEXTS: Readonly<Record<RefundMail, (amount: string, what: string) => RefundMailText>> = {
  made: (amount, what) => ({
    subject: `we are refunding ${amount}`,
    title: `We are refunding ${amount}`,
    preview: 'To the address below.',
    text: `we are refunding ${what}. You don’t need to do anything: we write to you when it is confirmed.`,
  }),
  confirmed: (amount, what) => ({
    subject: `${amount} refunded`,
    title: 'Your refund has arrived',
    preview: `${amount} arrived at the address below.`,
    text: `we refunded ${what}, and the network has confirmed it.`,
  }),
  recorded: (amount, what) => ({
    subject: `${amount} refunded`,
    title: `We refunded ${amount}`,
    preview: 'With the transaction below.',
    text: `we refunded ${what} with the transaction below. Has it not arrived? Write to us.`,
  }),
  undone: (amount, what) => ({
    subject: `${amount} not refunded yet`,
    title: 'Your refund is not complete yet',
    preview: 'It was marked as sent by mistake.',
    text: `we wrote that we had refunded ${what}. That was wrong: the refund is not complete yet. Your money is not lost.`,
  }),
};

export function writeRefundMail(refund: RefundMailData, shopUrl: string): MailContents {
  const { username, number, covers, lines, amountSats, address, mail, txid } = refund;
  const isSent = mail === 'confirmed' || mail === 'recorded';
  const amount = formatBtc(amountSats);
  const what = describeCovered(covers, lines, number);
  const texts = REFUND_TEXTS[mail](amount, what);
  return {
    subject: `Order ${number}: ${texts.subject}`,
    title: texts.title,
    preview: texts.preview,
    blocks: [
      createText(`${createGreeting(username)} ${texts.text}`),
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          ...(lines === null ? [] : [{ label: 'Items', value: formatCoveredLines(lines) }]),
          ...listValueFacts(refund),
          ...(mail === 'undone' ? [] : [{ label: 'Address', value: address, isCode: true }]),
          ...(isSent && txid !== null ? [{ label: 'Transaction', value: txid, isCode: true }] : []),
        ],
      },
      { kind: 'link', label: 'View your order', url: `${shopUrl}/dashboard/orders/${refund.orderId}` },
    ],
    reason: explainOrderMail(username, number),
  };
}

interface OrderMailRecipient {
  readonly username: string;
  /** Of the order. */
  readonly number: string;
  readonly orderId: string;
}

const orderUrl = (orderId: string, shopUrl: string): string => `${shopUrl}/dashboard/orders/${orderId}`;
const getReason = ({ username, number }: OrderMailRecipient): string => explainOrderMail(username, number);

/** About an address that staff entered. The buyer can object until it is used. */
export function writeEnteredAddressMail(
  data: OrderMailRecipient & { readonly address: string; readonly holdsFrom: Date },
  shopUrl: string,
): MailContents {
  const { username, number, orderId, address, holdsFrom } = data;
  return {
    subject: `Order ${number}: we entered your refund address`,
    title: 'We entered your refund address',
    preview: 'Not yours? Enter another one.',
    blocks: [
      createText(
        `${createGreeting(username)} we entered this refund address for your order ${number}. Compare all of it with the address in your wallet:`,
      ),
      { kind: 'facts', facts: [{ label: 'Address', value: address, isCode: true }] },
      createText(
        `We send refunds to it from ${formatDate(holdsFrom, 'moment', UTC)} on. Not your address? Before that, open your order and enter your own address, which replaces this one, or write to us.`,
      ),
      { kind: 'link', label: 'View your order', url: orderUrl(orderId, shopUrl) },
    ],
    reason: getReason(data),
  };
}

/** About unclaimed money that was written off. The buyer can still claim it. */
export function writeWrittenOffMail(
  data: OrderMailRecipient & { readonly covers: 'surplus' | 'whole'; readonly amountSats: Sats },
  shopUrl: string,
): MailContents {
  const { username, number, orderId, covers, amountSats } = data;
  const amount = formatBtc(amountSats);
  const what = covers === 'surplus' ? `${amount} more than the amount due` : amount;
  return {
    subject: `Order ${number}: ${amount} not claimed`,
    title: `${amount} not claimed`,
    preview: amountSats < MIN_REFUND_SATS ? 'The amount is too small to send.' : 'You can still claim it.',
    blocks: [
      createText(
        `${createGreeting(username)} we received ${what} for your order ${number} and could not refund it: we have no address that can receive it. We have closed the case.`,
      ),
      createText(
        amountSats < MIN_REFUND_SATS
          ? 'The network does not relay such a small amount, so we can’t refund it.'
          : 'It is still yours. To get it, open your order, enter a Bitcoin address of your own wallet, and confirm it with the link in our mail.',
      ),
      { kind: 'link', label: 'View your order', url: orderUrl(orderId, shopUrl) },
    ],
    reason: getReason(data),
  };
}
