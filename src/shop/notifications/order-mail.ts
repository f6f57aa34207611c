/** Selects the text of an order mail. */
import { createTermsBlocks } from './order-mail-parts.ts';
import type { MailContent, OrderMailData, OrderMailWriters } from './order-mail-parts.ts';
import { lateMails } from './late-mails.ts';
import { lossMails } from './loss-mails.ts';
import { lostPaymentMails } from './lost-payment-mails.ts';
import { orderMails } from './order-mails.ts';
import { paymentMails } from './payment-mails.ts';
import { shippingMails } from './shipping-mails.ts';
import type { MailContents } from './render-mail.ts';
import { explainOrderMail } from './user-text.ts';

const WRITERS = {
  ...orderMails,
  ...paymentMails,
  ...lateMails,
  ...lostPaymentMails,
  ...lossMails,
  ...shippingMails,
} as const satisfies OrderMailWriters;

/** A kind is the name of a writer. */
export type OrderMailKind = keyof typeof WRITERS;

export const isOrderMail = (kind: string | undefined): kind is OrderMailKind =>
  kind !== undefined && Object.hasOwn(WRITERS, kind);

export const orderMailKinds = Object.keys(WRITERS).filter((kind) => isOrderMail(kind));

/** Whether a mail is the first one about its order, which confirms the contract. With nothing to pay it is the receipt. */
export const carriesTerms = (kind: OrderMailKind, { payment }: OrderMailData['order']): boolean =>
  kind === 'made' || (kind === 'paid' && payment.amount_btc === 0n);

/** Null if the mail is no longer true. */
export function writeOrderMail(kind: OrderMailKind, data: OrderMailData): MailContents | null {
  const written: MailContent | null = WRITERS[kind](data);
  if (written === null) return null;
  const blocks = carriesTerms(kind, data.order) ? [...written.blocks, ...createTermsBlocks(data)] : written.blocks;
  return { ...written, blocks, reason: explainOrderMail(data.username, data.order.number) };
}
