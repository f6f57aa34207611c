import { isRecorded } from './manual/manual-record.ts';
import type { RefundToUndo } from './manual/manual-record.ts';
import type { OrderEventKind } from '#src/shop/orders/order-events.ts';
import type { RefundEventKind } from './matching/match-refunds.ts';

/** Mails to the buyer about a refund. `recorded` and `undone` are about records of staff. */
export const refundMails = ['made', 'confirmed', 'recorded', 'undone'] as const;
export type RefundMail = (typeof refundMails)[number];

export const isRefundMail = (text: string): text is RefundMail => refundMails.some((mail) => mail === text);

/** Order events about a refund. */
export type RefundNoticeKind =
  | RefundEventKind
  | Extract<OrderEventKind, 'refund_made' | 'refund_withdrawn' | 'refund_recorded' | 'refund_record_undone'>;

const MAILS: Readonly<Record<RefundNoticeKind, RefundMail | null>> = {
  refund_made: 'made',
  refund_recorded: 'recorded',
  refund_record_undone: 'undone',
  refund_sent: null,
  refund_confirmed: null,
  refund_unconfirmed: null,
  refund_left: null,
  refund_withdrawn: null,
};

/** The mail for an event, or for the refund being confirmed after it; null for none. */
export const selectRefundMail = (kind: RefundNoticeKind, { state }: Pick<RefundToUndo, 'state'>): RefundMail | null =>
  MAILS[kind] ?? (state === 'confirmed' ? 'confirmed' : null);

interface RefundForMail extends Pick<RefundToUndo, 'state' | 'txid' | 'vout'> {
  /** Loss recorded on the order; null for none. */
  readonly orderLoss: string | null;
}

/** Whether a mail is still true. Mails that are not are not sent. */
export function isMailStillTrue(mail: RefundMail, refund: RefundForMail): boolean {
  switch (mail) {
    case 'made':
      // Refunds of an order with a loss are on hold.
      return refund.state === 'made' ? refund.orderLoss === null : refund.state !== 'withdrawn';
    case 'confirmed':
      return refund.state === 'confirmed' && !isRecorded(refund);
    case 'recorded':
      return isRecorded(refund);
    case 'undone':
      return refund.state !== 'confirmed';
    default:
      return mail satisfies never;
  }
}
