/** What buyers are told by mail of money that goes back to them, in words. */
import type { MailBlock, MailWords } from './render-mail.ts';

const text = (words: string): MailBlock => ({ kind: 'text', text: words });

interface AddressToConfirm {
  readonly username: string;
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
        `Hello ${username}, this address was named for refunds of your order ${number}. Compare it with your wallet, all of it:`,
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
