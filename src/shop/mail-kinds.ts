/** Mail jobs to customers; `notifications` writes them. */
export type CustomerMailKind =
  | 'order'
  | 'reset-code'
  | 'confirm-email'
  | 'account-notice'
  | 'second-factor-change'
  | 'invitation'
  | 'confirm-refund-address'
  | 'refund-address-entered'
  | 'refund'
  | 'return'
  | 'written-off'
  | 'back-in-stock'
  | 'contact-answer'
  | 'withdrawal'
  | 'withdrawal-copy'
  | 'withdrawal-link';

/** Mail jobs to staff; `admin` writes them. */
export type StaffMailKind =
  | 'staff-ticket'
  | 'staff-contact'
  | 'staff-inbox'
  | 'staff-order'
  | 'staff-low-stock'
  | 'staff-return'
  | 'staff-returns'
  | 'staff-withdrawal'
  | 'staff-paid'
  | 'staff-paid-orders'
  | 'staff-webhook'
  | 'staff-audit-hash';

/** All kinds of mail jobs of the shop. `Mails.start` needs a writer for each. */
export type MailKind = CustomerMailKind | StaffMailKind;
