import type { Mails, MailToEnqueue, MailWriter } from '#src/platform/mail/mails.ts';

/** All kinds of mail jobs of the shop. Each has one writer: notifications to customers, admin to staff. */
export const customerMailKinds = [
  'order',
  'reset-code',
  'confirm-email',
  'account-notice',
  'confirm-refund-address',
  'refund-address-entered',
  'refund',
  'written-off',
] as const;
export type CustomerMailKind = (typeof customerMailKinds)[number];

export const staffMailKinds = ['staff-ticket', 'staff-contact', 'staff-order'] as const;
export type StaffMailKind = (typeof staffMailKinds)[number];

export type MailKind = CustomerMailKind | StaffMailKind;
export type ShopMails = Mails<MailKind>;
export type ShopMail = MailToEnqueue<MailKind>;
export type MailWriters<Kind extends MailKind> = Readonly<Record<Kind, MailWriter>>;
