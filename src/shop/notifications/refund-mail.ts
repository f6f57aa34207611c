/** What buyers are told by mail of money that goes back to them, in words. */
import { formatDate, UTC } from '#src/shop/format.ts';
import { formatDecimalBtc } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import { MIN_REFUND_SATS } from '#src/shop/payments/ledger/min-refund.ts';
import type { RefundMail } from '#src/shop/refunds/refund-mail-kinds.ts';
import type { MailBlock, MailContents } from './render-mail.ts';
import { explainOrderMail, createGreeting } from './user-text.ts';

const text = (words: string): MailBlock => ({ kind: 'text', text: words });

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
    subject: `Order ${number}: please confirm your address for refunds`,
    title: 'Is this your Bitcoin address?',
    preview: 'We send money back only to an address that you have confirmed.',
    blocks: [
      text(
        `${createGreeting(username)} this address was named for refunds of your order ${number}. Compare it with your wallet, all of it:`,
      ),
      { kind: 'facts', facts: [{ label: 'Address', value: address, isCode: true }] },
      text('If it is yours, open the link and press Confirm. What is sent to a wrong address can’t be brought back.'),
      { kind: 'link', label: 'Confirm this address', url: `${shopUrl}/confirm-refund-address/${token}` },
      text(
        'The link works once, within seven days. It is not yours? Then do not confirm it: somebody else may have your password. Set a new one, and name your own address with your order.',
      ),
    ],
    reason: `You get this mail because an address for refunds was named for your order ${number}.`,
  };
}

interface RefundMailData {
  /** Null until the buyer's address is confirmed. */
  readonly username: string | null;
  /** Of the order. */
  readonly number: string;
  readonly orderId: string;
  readonly covers: 'surplus' | 'whole';
  readonly amountSats: Sats;
  readonly address: string;
  readonly txid: string | null;
  readonly told: RefundMail;
}

/** As many decimals as it takes: six, unless the amount is no multiple of 100 sats. */
const btc = (amount: Sats): string => `${formatDecimalBtc(amount).replace(/00$/, '')} BTC`;

interface RefundMailText {
  readonly subject: string;
  readonly title: string;
  readonly preview: string;
  readonly text: string;
}

/** @param what for example "what you paid for your order CM-100001" */
const REFUND_TEXTS: Readonly<Record<RefundMail, (amount: string, what: string) => RefundMailText>> = {
  made: (amount, what) => ({
    subject: `we are sending ${amount} back`,
    title: `We are sending ${amount} back`,
    preview: 'To the address below.',
    text: `we are sending back ${what}. Nothing is left for you to do: we write again when it is confirmed.`,
  }),
  confirmed: (amount, what) => ({
    subject: `${amount} were sent back`,
    title: 'Your refund has arrived',
    preview: `${amount} are at the address below.`,
    text: `${what} was sent back to you, and the network has confirmed it.`,
  }),
  recorded: (amount, what) => ({
    subject: `${amount} were sent back`,
    title: `We have sent ${amount} back`,
    preview: 'With the transaction below.',
    text: `we have sent back ${what}, with the transaction below. Has it not arrived? Write to us.`,
  }),
  undone: (amount, what) => ({
    subject: `${amount} were not sent back yet`,
    title: 'We were wrong: your refund is not done yet',
    preview: 'We noted it as sent by mistake.',
    text: `we wrote that we had sent back ${what}. That was a mistake, and we are sorry: it is not done yet, and nothing is lost.`,
  }),
};

export function writeRefundMail(refund: RefundMailData, shopUrl: string): MailContents {
  const { username, number, covers, amountSats, address, told, txid } = refund;
  const isSent = told === 'confirmed' || told === 'recorded';
  const amount = btc(amountSats);
  const what =
    covers === 'surplus' ? `what you paid too much for your order ${number}` : `what you paid for your order ${number}`;
  const words = REFUND_TEXTS[told](amount, what);
  return {
    subject: `Order ${number}: ${words.subject}`,
    title: words.title,
    preview: words.preview,
    blocks: [
      text(`${createGreeting(username)} ${words.text}`),
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          ...(told === 'undone' ? [] : [{ label: 'Address', value: address, isCode: true }]),
          ...(isSent && txid !== null ? [{ label: 'Transaction', value: txid, isCode: true }] : []),
        ],
      },
      { kind: 'link', label: 'See your order', url: `${shopUrl}/dashboard/orders/${refund.orderId}` },
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

/** Of an address that staff entered: the buyer can object until it counts. */
export function writeEnteredAddressMail(
  told: OrderMailRecipient & { readonly address: string; readonly holdsFrom: Date },
  shopUrl: string,
): MailContents {
  const { username, number, orderId, address, holdsFrom } = told;
  return {
    subject: `Order ${number}: we entered an address for your refund`,
    title: 'We entered an address for your refund',
    preview: 'If it is not yours, name another one.',
    blocks: [
      text(
        `${createGreeting(username)} we entered this address for refunds of your order ${number}. Compare it with your wallet, all of it:`,
      ),
      { kind: 'facts', facts: [{ label: 'Address', value: address, isCode: true }] },
      text(
        `From ${formatDate(holdsFrom, 'moment', UTC)} on we send money back there. It is not yours? Open your order before that and name your own address: it takes the place of this one. Or write to us.`,
      ),
      { kind: 'link', label: 'See your order', url: orderUrl(orderId, shopUrl) },
    ],
    reason: getReason(told),
  };
}

/** Of money that nobody has claimed for long: it can still be claimed. */
export function writeWrittenOffMail(
  told: OrderMailRecipient & { readonly covers: 'surplus' | 'whole'; readonly amountSats: Sats },
  shopUrl: string,
): MailContents {
  const { username, number, orderId, covers, amountSats } = told;
  const amount = btc(amountSats);
  const what = covers === 'surplus' ? `${amount} more than was due` : amount;
  return {
    subject: `Order ${number}: ${amount} were not claimed`,
    title: `${amount} were not claimed`,
    preview: amountSats < MIN_REFUND_SATS ? 'It is too little to be sent.' : 'You can still have them back.',
    blocks: [
      text(
        `${createGreeting(username)} ${what} arrived for your order ${number}, and could not be sent back to you: there is no address that can receive it. We have closed our accounts of it.`,
      ),
      text(
        amountSats < MIN_REFUND_SATS
          ? 'So small an amount can’t be sent back: the network refuses to carry it.'
          : 'It is still yours: open your order, name an address of your own wallet, and confirm it by the link in our mail.',
      ),
      { kind: 'link', label: 'See your order', url: orderUrl(orderId, shopUrl) },
    ],
    reason: getReason(told),
  };
}
