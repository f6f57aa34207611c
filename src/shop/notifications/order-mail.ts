/** Selects the text of an order mail. */
import { closedAsLoss, doubleSpent, paymentMayReturn, refundResumed, refundStopped } from './loss-mails.ts';
import { dropped, paidAgain, reorgedOut, replaced, withdrawn } from './lost-payment-mails.ts';
import type { OrderMailKind } from './select-order-mail.ts';
import type { OrderMailData, MailContent } from './order-mail-parts.ts';
import {
  cancelled,
  expired,
  made,
  paid,
  paidLate,
  quoteVoid,
  released,
  requoted,
  settled,
  shipped,
} from './order-mails.ts';
import { lateWaits, unconfirmed } from './late-mails.ts';
import { back, late, overpaid, partLeft, seen, underpaid } from './payment-mails.ts';
import type { MailContents } from './render-mail.ts';
import { explainOrderMail } from './user-text.ts';

const WRITERS: Readonly<Record<OrderMailKind, (data: OrderMailData) => MailContent | null>> = {
  made,
  requoted,
  seen,
  back,
  underpaid,
  'part-left': partLeft,
  overpaid,
  paid,
  'paid-late': paidLate,
  'paid-again': paidAgain,
  settled,
  late,
  'late-waits': lateWaits,
  unconfirmed,
  replaced,
  dropped,
  withdrawn,
  'reorged-out': (data) => (data.order.payment.loss === null ? reorgedOut(data) : doubleSpent(data)),
  'double-spent': doubleSpent,
  'payment-may-return': paymentMayReturn,
  'refund-stopped': refundStopped,
  'refund-resumed': refundResumed,
  'closed-as-loss': closedAsLoss,
  expired,
  'quote-void': quoteVoid,
  released,
  cancelled,
  shipped,
};

/** Null if the mail is no longer true. */
export function writeOrderMail(kind: OrderMailKind, data: OrderMailData): MailContents | null {
  const written = WRITERS[kind](data);
  return written && { ...written, reason: explainOrderMail(data.username, data.order.number) };
}
