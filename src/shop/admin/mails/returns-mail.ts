/** Texts of the mails about new returns, and about refunds of returns whose deadline is near. */
import type { ReturnCause } from '#src/shop/returns/kinds.ts';
import { CAUSES } from '#src/shop/returns/return-messages.ts';
import { formatDate } from '#src/shop/format.ts';
import type { MailContents } from '#src/shop/notifications/render-mail.ts';

const REASON = 'You get this mail because this is the support address of the shop.';

interface ReturnMailData {
  readonly reference: string;
  readonly cause: ReturnCause;
  readonly orderNumber: string;
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly cancelled: number }[];
  /** Null: it is not approved. */
  readonly dueAt: Date | null;
  /** Its page. */
  readonly url: string;
}

export function writeReturnMail(
  { cause, dueAt, lines, orderNumber, reference, url }: ReturnMailData,
  timeZone: string,
): MailContents {
  const isWithdrawal = cause === 'withdrawal';
  const title = isWithdrawal ? `Withdrawal from order ${orderNumber}` : `Return of order ${orderNumber} requested`;
  const items = lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');
  const stopped = lines.flatMap(({ cancelled, name }) => (cancelled > 0 ? [`${cancelled} × ${name}`] : [])).join(', ');
  return {
    subject: title,
    title,
    preview: items.slice(0, 140),
    blocks: [
      {
        kind: 'text',
        text: isWithdrawal
          ? 'The buyer withdrew from the contract. Refund the units in time. For shipped units you may wait until they, or a proof of sending, arrive.'
          : 'Approve the return or refuse it. The buyer waits for your decision.',
      },
      {
        kind: 'facts',
        facts: [
          { label: 'Return', value: reference, isCode: true },
          { label: 'Cause', value: CAUSES[cause] },
          { label: 'Items', value: items },
          ...(stopped === '' ? [] : [{ label: 'Not shipped, stopped', value: stopped }]),
          ...(dueAt === null ? [] : [{ label: 'Refund by', value: formatDate(dueAt, 'moment', timeZone) }]),
        ],
      },
      { kind: 'link', label: 'Open the return', url },
    ],
    reason: REASON,
  };
}

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
    reason: REASON,
  };
}
