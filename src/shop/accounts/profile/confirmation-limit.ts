/** Confirmation mails to one mailbox in a day, for all accounts that name it. Pages state it. */
export const CONFIRMATION_MAILS_A_DAY = 6;
