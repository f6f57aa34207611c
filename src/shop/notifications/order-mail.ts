/** What the buyer is told of an order by mail, in words. */
import type { OrderMailKind } from './order-mail-of.ts';
import type { OrderToTell, Written } from './order-mail-parts.ts';
import { expired, made, paid, shipped } from './order-mails.ts';
import { late, seen, underpaid } from './payment-mails.ts';
import type { MailWords } from './render-mail.ts';

const reasonFor = ({ username, order }: OrderToTell): string =>
  `You get this mail because ${username} ordered at our shop (order ${order.number}).`;

const WRITERS: Readonly<Record<OrderMailKind, (told: OrderToTell) => Written>> = {
  made,
  seen,
  underpaid,
  paid,
  expired,
  late,
  shipped,
};

export function writeOrderMail(kind: OrderMailKind, told: OrderToTell): MailWords {
  return { ...WRITERS[kind](told), reason: reasonFor(told) };
}
