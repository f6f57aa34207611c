/** Texts of the mails about withdrawals from the contract (2011/83/EU, article 11a(4)). */
import { formatDate } from '#src/shop/format.ts';
import { ACKNOWLEDGEMENT } from '#src/shop/returns/withdrawal/lay-out-acknowledgement.ts';
import type { WithdrawalMail } from '#src/shop/returns/withdrawal/acknowledgements.service.ts';
import { formatStatedAt } from '#src/shop/returns/withdrawal/format-stated-at.ts';
import type { RefusalReason } from '#src/shop/returns/withdrawal/kinds.ts';
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

const formatItems = (items: readonly { readonly name: string; readonly quantity: number }[]): string =>
  items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');

const formatDay = (at: Date, timeZone: string): string => formatDate(at, 'day', timeZone);

/** What a withdrawal covers, and what happens next. */
function explainEffect({ items, refundDueAt, timeZone }: WithdrawalMail): readonly MailBlock[] {
  const stopped = items.flatMap(({ cancelled, name }) => (cancelled > 0 ? [{ name, quantity: cancelled }] : []));
  const back = items.flatMap(({ cancelled, name, quantity }) =>
    quantity > cancelled ? [{ name, quantity: quantity - cancelled }] : [],
  );
  const due = refundDueAt === null ? '' : ` by ${formatDay(refundDueAt, timeZone)}`;
  return [
    ...(stopped.length > 0
      ? [createText(`Not shipped yet, so we stopped it: ${formatItems(stopped)}. There is nothing to send back.`)]
      : []),
    ...(back.length > 0
      ? [
          createText(
            `Handed to the carrier before your withdrawal, so it comes back as a return: ${formatItems(back)}. Send it back within 14 days of your withdrawal. Write the reference on a note in the parcel.`,
          ),
        ]
      : []),
    createText(
      `We refund what you withdrew from${due}.${back.length > 0 ? ' We may wait until the goods, or your proof that you sent them, have arrived.' : ''}`,
    ),
  ];
}

const NO_EFFECT: Readonly<Record<Exclude<RefusalReason, 'not-found' | 'period-over'>, string>> = {
  'not-paid': 'The order is not paid, so there is no purchase to withdraw from. An unpaid order ends by itself.',
  business: 'The order was placed with the VAT number of a business. The right of withdrawal is for consumers.',
  'nothing-left': 'Nothing of the order is left: it was refunded, or you withdrew from it before.',
  'switched-off': 'The shop does not offer withdrawal on its pages. Write to us about a return.',
};

function explainRefusal({ lastDay, result, timeZone }: WithdrawalMail): string {
  if (result === 'period-over') {
    const end = lastDay === null ? '' : ` on ${formatDay(new Date(`${lastDay}T12:00:00Z`), 'UTC')} (${timeZone})`;
    return `The period of withdrawal ended${end}, 14 days after the delivery. If the goods are defective, write to us: your legal warranty is longer.`;
  }
  return result === 'recorded' || result === 'not-found' ? '' : NO_EFFECT[result];
}

/** To the mail address of the order. */
export function writeWithdrawalMail(data: WithdrawalMail, shopUrl: string): MailContents {
  const { number, reference, result } = data;
  const isRecorded = result === 'recorded';
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
          : `We received a statement of withdrawal from your order ${number}. ${explainRefusal(data)}`,
      ),
      // Strangers can write to an unconfirmed address with an unpaid order, so it gets nothing that they typed.
      ...(isRecorded || data.contact.isConfirmed ? createStatementBlocks(data, shopUrl) : []),
      ...(isRecorded ? explainEffect(data) : []),
      createText('Was this not you? Answer this mail or write to us on the contact page at once.'),
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
