import { isRecorded } from './manual/manual-record.ts';
import type { RefundToUndo } from './manual/manual-record.ts';

/** Mails to the buyer about a refund. `recorded` and `undone` are about records of staff. */
export const refundMails = ['made', 'confirmed', 'recorded', 'undone'] as const;
export type RefundMail = (typeof refundMails)[number];

export const isRefundMail = (text: string): text is RefundMail => refundMails.some((mail) => mail === text);

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
