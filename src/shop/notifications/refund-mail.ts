/** What buyers are told by mail of money that goes back to them, in words. */
import { decimalBtc } from '../money.ts';
import type { Sats } from '../money.ts';
import type { MailBlock, MailWords } from './render-mail.ts';
import { becauseOfOrder, greeting } from './user-text.ts';

const text = (words: string): MailBlock => ({ kind: 'text', text: words });

interface AddressToConfirm {
  /** Null until the buyer's address is confirmed. */
  readonly username: string | null;
  /** Of the order. */
  readonly number: string;
  readonly address: string;
  readonly token: string;
}

export function writeRefundAddressMail(
  { username, number, address, token }: AddressToConfirm,
  shopUrl: string,
): MailWords {
  return {
    subject: `Order ${number}: please confirm your address for refunds`,
    title: 'Is this your Bitcoin address?',
    preview: 'We send money back only to an address that you have confirmed.',
    blocks: [
      text(
        `${greeting(username)} this address was named for refunds of your order ${number}. Compare it with your wallet, all of it:`,
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

interface RefundToTell {
  /** Null until the buyer's address is confirmed. */
  readonly username: string | null;
  /** Of the order. */
  readonly number: string;
  readonly orderId: string;
  readonly covers: 'surplus' | 'whole';
  readonly amountSats: Sats;
  readonly address: string;
  readonly txid: string | null;
  /** 'made', or 'confirmed'. */
  readonly told: string;
}

/** As many decimals as it takes: six, unless the amount is no multiple of 100 sats. */
const btc = (amount: Sats): string => `${decimalBtc(amount).replace(/00$/, '')} BTC`;

export function writeRefundMail(refund: RefundToTell, shopUrl: string): MailWords {
  const { username, number, covers, amountSats, address, txid } = refund;
  const isSent = refund.told === 'confirmed';
  const amount = btc(amountSats);
  const what =
    covers === 'surplus' ? `what you paid too much for your order ${number}` : `what you paid for your order ${number}`;
  return {
    subject: `Order ${number}: ${isSent ? `${amount} were sent back` : `we are sending ${amount} back`}`,
    title: isSent ? 'Your refund has arrived' : `We are sending ${amount} back`,
    preview: isSent ? `${amount} are at the address that you confirmed.` : 'To the address that you confirmed.',
    blocks: [
      text(
        isSent
          ? `${greeting(username)} ${what} was sent back to you, and the network has confirmed it.`
          : `${greeting(username)} we are sending back ${what}. Nothing is left for you to do: we write again when it is confirmed.`,
      ),
      {
        kind: 'facts',
        facts: [
          { label: 'Amount', value: amount },
          { label: 'Address', value: address, isCode: true },
          ...(isSent && txid !== null ? [{ label: 'Transaction', value: txid, isCode: true }] : []),
        ],
      },
      { kind: 'link', label: 'See your order', url: `${shopUrl}/dashboard/orders/${refund.orderId}` },
    ],
    reason: becauseOfOrder(username, number),
  };
}
