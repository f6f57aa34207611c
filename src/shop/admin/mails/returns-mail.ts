/** Text of the mail about refunds of returns whose deadline is near. */
import { formatDate } from '#src/shop/format.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';

export interface ReturnsMailData {
  /** The nearest deadline first. */
  readonly returns: readonly {
    readonly reference: string;
    readonly orderNumber: string;
    readonly dueAt: Date | null;
  }[];
  /** Number of returns, those left out included. */
  readonly total: number;
  /** Of the shop. */
  readonly timeZone: string;
  /** Page with the returns that are due. */
  readonly url: string;
}

export function writeReturnsMail({ returns, timeZone, total, url }: ReturnsMailData): MailContents {
  const subject = total === 1 ? 'The refund of 1 return is due' : `The refunds of ${total} returns are due`;
  const omitted = total - returns.length;
  return {
    subject,
    title: subject,
    preview: returns
      .map(({ reference }) => reference)
      .join(', ')
      .slice(0, 140),
    blocks: [
      {
        kind: 'text',
        text: 'The units or a proof of sending arrived, so these refunds have to be made within 14 days of the withdrawal or approval.',
      },
      {
        kind: 'lines',
        lines: returns.map(({ dueAt, orderNumber, reference }) => ({
          name: reference,
          detail: `Order ${orderNumber}`,
          amount: dueAt === null ? '' : formatDate(dueAt, 'moment', timeZone),
        })),
        totals: [],
      },
      ...(omitted > 0 ? [{ kind: 'text', text: `And ${omitted} more.` } as const] : []),
      { kind: 'link', label: 'View due returns', url },
    ],
    reason: 'You get this mail because this is the support address of the shop.',
  };
}
