/** Texts of the mails about withdrawals from the contract (2011/83/EU, article 11a(4)). */
import { ACKNOWLEDGEMENT } from '#src/shop/returns/withdrawal/lay-out-acknowledgement.ts';
import type { WithdrawalMail } from '#src/shop/returns/withdrawal/withdrawal-mail.ts';
import { formatStatedAt } from '#src/shop/returns/withdrawal/format-stated-at.ts';
import { explainOutcome } from '#src/shop/returns/withdrawal/outcome-messages.ts';
import type { MailBlock, MailContents } from './render-mail.ts';

const createText = (content: string): MailBlock => ({ kind: 'text', text: content });

const createStatementBlocks = (
  { reference, receipt, statedAt, statement, timeZone }: WithdrawalMail,
  shopUrl: string,
): readonly MailBlock[] => [
  {
    kind: 'facts',
    facts: [
      { label: 'Received', value: formatStatedAt(statedAt, timeZone) },
      { label: 'Reference', value: reference },
    ],
  },
  createText('Your statement:'),
  ...statement.split('\n').map(createText),
  { kind: 'link', label: 'Open the acknowledgement with its PDF', url: `${shopUrl}/withdrawal/receipt/${receipt}` },
];

/** To the mail address of the order. */
export function writeWithdrawalMail(data: WithdrawalMail, shopUrl: string): MailContents {
  const { number, reference, result } = data;
  const isRecorded = result === 'recorded';
  const [first = '', ...more] = explainOutcome({ ...data, problem: isRecorded ? null : result });
  return {
    subject: isRecorded
      ? `Order ${number}: we received your withdrawal`
      : `Order ${number}: your withdrawal has no effect`,
    title: isRecorded ? 'We received your withdrawal' : 'Your withdrawal has no effect',
    preview: `Reference ${reference}`,
    blocks: [
      createText(
        isRecorded
          ? `${ACKNOWLEDGEMENT} from your order ${number}.`
          : `We received a statement of withdrawal from your order ${number}.`,
      ),
      createText(first),
      ...more.map(createText),
      // Strangers can write to an unconfirmed address with an unpaid order, so it gets nothing that they typed.
      ...(isRecorded || data.contact.isConfirmed ? createStatementBlocks(data, shopUrl) : []),
      createText('Was this not you? Answer this mail, or write to us on the contact page at once.'),
    ],
    reason: `You get this mail because somebody withdrew from order ${number} with its number or its link.`,
  };
}

/** To the address that the buyer named: only what the buyer typed, since it may be that of somebody else. */
export function writeWithdrawalCopyMail(data: WithdrawalMail, shopUrl: string): MailContents {
  return {
    subject: `${ACKNOWLEDGEMENT} (${data.reference})`,
    title: ACKNOWLEDGEMENT,
    preview: `Reference ${data.reference}`,
    blocks: [
      createText('The shop received this statement. What it covers is in the mail to the address of the order.'),
      ...createStatementBlocks(data, shopUrl),
    ],
    reason: 'You get this mail because somebody who withdrew from an order named this address.',
  };
}

export function writeWithdrawalLinkMail(
  { link, number }: { readonly link: string; readonly number: string },
  shopUrl: string,
): MailContents {
  return {
    subject: `Order ${number}: withdraw from the contract`,
    title: 'Choose what you withdraw from',
    preview: 'The link shows what is in your order.',
    blocks: [
      createText(`With this link you can withdraw from your order ${number}, or from a part of it.`),
      { kind: 'link', label: 'Withdraw from contract here', url: `${shopUrl}/withdrawal/${link}` },
      createText('Not you? Do nothing. Whoever has this link can withdraw, so don’t pass it on.'),
    ],
    reason: `You get this mail because somebody asked for it with the number of your order ${number}.`,
  };
}
