/** What the buyer is told of an order by mail, in words. */
import { closedAsLoss, doubleSpent, paymentMayReturn, refundResumed, refundStopped } from './loss-mails.ts';
import { dropped, paidAgain, reorgedOut, replaced, withdrawn } from './lost-payment-mails.ts';
import type { OrderMailKind } from './order-mail-of.ts';
import type { OrderToTell, Written } from './order-mail-parts.ts';
import { cancelled, expired, made, paid, paidLate, quoteVoid, requoted, settled, shipped } from './order-mails.ts';
import { back, late, lateWaits, overpaid, partLeft, seen, underpaid } from './payment-mails.ts';
import type { MailWords } from './render-mail.ts';

const reasonFor = ({ username, order }: OrderToTell): string =>
  `You get this mail because ${username} ordered at our shop (order ${order.number}).`;

const WRITERS: Readonly<Record<OrderMailKind, (told: OrderToTell) => Written>> = {
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
  replaced,
  dropped,
  withdrawn,
  'reorged-out': (told) => (told.order.payment.loss === null ? reorgedOut(told) : doubleSpent(told)),
  'double-spent': doubleSpent,
  'payment-may-return': paymentMayReturn,
  'refund-stopped': refundStopped,
  'refund-resumed': refundResumed,
  'closed-as-loss': closedAsLoss,
  expired,
  'quote-void': quoteVoid,
  cancelled,
  shipped,
};

export function writeOrderMail(kind: OrderMailKind, told: OrderToTell): MailWords {
  return { ...WRITERS[kind](told), reason: reasonFor(told) };
}
