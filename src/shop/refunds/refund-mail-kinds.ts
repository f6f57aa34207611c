import { isRecorded } from './manual/manual-record.ts';
import type { RefundToUndo } from './manual/manual-record.ts';

/** What the buyer is told of a refund by mail: it was made, it has arrived, we say that it was sent, or said so by mistake. */
export const refundMails = ['made', 'confirmed', 'recorded', 'undone'] as const;
export type RefundMail = (typeof refundMails)[number];

export const isRefundMail = (text: string): text is RefundMail => refundMails.some((one) => one === text);

interface RefundForMail extends Pick<RefundToUndo, 'state' | 'txid' | 'vout'> {
  /** What its order has lost; null for nothing. */
  readonly orderLoss: string | null;
}

/** The condition under which what a mail says of a refund is true; otherwise it is not sent. */
export function isMailStillTrue(told: RefundMail, refund: RefundForMail): boolean {
  switch (told) {
    case 'made':
      // One that was not sent waits while its order has lost money.
      return refund.state === 'made' ? refund.orderLoss === null : refund.state !== 'withdrawn';
    case 'confirmed':
      return refund.state === 'confirmed' && !isRecorded(refund);
    case 'recorded':
      return isRecorded(refund);
    case 'undone':
      return refund.state !== 'confirmed';
    default:
      return told satisfies never;
  }
}
