/** Text of the mail about a statement of withdrawal that names no order of the shop. Without who stated it. */
import { formatDate } from '#src/shop/format.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';

interface WithdrawalMailData {
  readonly reference: string;
  readonly statedAt: Date;
  /** Page with the statements that nobody answered. */
  readonly url: string;
}

export const writeWithdrawalMail = (
  { reference, statedAt, url }: WithdrawalMailData,
  timeZone: string,
): MailContents => ({
  subject: `Withdrawal ${reference} names no order`,
  title: 'A withdrawal names no order',
  preview: 'It may be mistyped. Find the order and answer the buyer.',
  blocks: [
    {
      kind: 'text',
      text: 'Number and mail address of the statement belong to no order of the shop. It may be mistyped, but it is binding: find the order and answer the buyer.',
    },
    {
      kind: 'facts',
      facts: [
        { label: 'Statement', value: reference, isCode: true },
        { label: 'Received', value: formatDate(statedAt, 'moment', timeZone) },
      ],
    },
    { kind: 'link', label: 'View the statements', url },
  ],
  reason: 'You get this mail because this is the support address of the shop.',
});
