/** Texts of account mails. */
import { UTC, formatDate } from '#src/shop/format.ts';
import type { NoticeKind } from '#src/shop/accounts/profile/notice-kind.ts';
import { CODE_MINUTES } from '#src/shop/accounts/password-reset/reset-code.ts';
import { ROLE_NAMES } from '#src/shop/permissions.ts';
import type { FactorChangeKind } from '#src/shop/accounts/factor-change.ts';
import type { StaffRole } from '#src/shop/permissions.ts';
import { INVITATION_DAYS } from '#src/shop/accounts/invitations/invitation-days.ts';
import type { MailBlock, MailContents, MailFrame } from './render-mail.ts';
import { createGreeting } from './user-text.ts';

const createText = (content: string): MailBlock => ({ kind: 'text', text: content });

interface CodeMailData {
  /** Null until the address is confirmed. */
  readonly username: string | null;
  readonly code: string;
}

export function writeCodeMail({ username, code }: CodeMailData, shopUrl: string): MailContents {
  return {
    subject: 'Your password reset code',
    title: 'Your password reset code',
    preview: `Use it within ${CODE_MINUTES} minutes.`,
    blocks: [
      createText(
        `${createGreeting(username)} enter this code on the page where you requested it, with a new password:`,
      ),
      { kind: 'facts', facts: [{ label: 'Code', value: code, isCode: true }] },
      createText(`The code works once, within ${CODE_MINUTES} minutes. We will never ask you for it.`),
      { kind: 'link', label: 'Reset your password', url: `${shopUrl}/lost-password` },
      createText('Did you not request a code? Ignore this mail. Your password stays the same.'),
    ],
    reason: 'You get this mail because a password reset was requested for the account with this address.',
  };
}

/**
 * Omits the username: anyone can register an address, and must not choose any text of the mail to its
 * owner.
 */
export function writeConfirmationMail({ token }: { readonly token: string }, shopUrl: string): MailContents {
  return {
    subject: 'Please confirm your email address',
    title: 'Please confirm your email address',
    preview: 'Receipts and order updates go to this address.',
    blocks: [
      createText('We send receipts and order updates to this address. Open the link and press Confirm:'),
      { kind: 'link', label: 'Confirm this address', url: `${shopUrl}/confirm-email/${token}` },
      createText('The link works once, within three days. You can use your account until then.'),
      createText(
        'Do you not have an account with us? Somebody mistyped an address. Ignore this mail, and nothing is confirmed.',
      ),
    ],
    reason: 'You get this mail because an account was created or changed with this address.',
  };
}

interface InvitationMailData {
  readonly token: string;
  readonly role: StaffRole;
}

/** Contains no text of a user: the address may belong to somebody who does not know the shop. */
export function writeInvitationMail(
  { token, role }: InvitationMailData,
  { shopUrl, shopName }: MailFrame,
): MailContents {
  const title = `Join the team of ${shopName}`;
  return {
    subject: title,
    title,
    preview: 'You were invited to the back office.',
    blocks: [
      createText(`You were invited to work in the back office of ${shopName}, with the role ${ROLE_NAMES[role]}.`),
      { kind: 'link', label: 'Open the invitation', url: `${shopUrl}/invitation/${token}` },
      createText(`The link works once, within ${INVITATION_DAYS} days. Do not forward it: whoever opens it can join.`),
      createText('Do you not expect an invitation? Ignore this mail, and nothing happens.'),
    ],
    reason: 'You get this mail because an owner of the shop invited this address.',
  };
}

interface FactorChangeMailData {
  readonly kind: FactorChangeKind;
  /** Null until the address is confirmed. */
  readonly username: string | null;
  readonly takesEffectAt: Date;
  readonly token: string;
}

const FACTOR_CHANGES: Readonly<Record<FactorChangeKind, string>> = {
  'add-app': 'adds an authenticator app to your account',
  'remove-app': 'removes the authenticator app of your account',
  'add-passkey': 'adds a passkey to your account',
  'remove-passkey': 'removes a passkey of your account',
  'replace-recovery-codes': 'replaces the recovery codes of your account',
};

export function writeFactorChangeMail(
  { kind, username, takesEffectAt, token }: FactorChangeMailData,
  shopUrl: string,
): MailContents {
  const title = 'A change of your second factors waits for a day';
  const from = formatDate(takesEffectAt, 'moment', UTC);
  return {
    subject: title,
    title,
    preview: 'If this was not you, cancel it.',
    blocks: [
      createText(
        `${createGreeting(username)} a change was requested with your password and a recovery code. It ${FACTOR_CHANGES[kind]} on ${from}.`,
      ),
      createText('If this was you, you don’t need to do anything.'),
      createText(
        'If this was not you, cancel the change before then. Somebody knows your password and has a recovery code: reset the password too, and create new recovery codes.',
      ),
      { kind: 'link', label: 'Cancel the change', url: `${shopUrl}/cancel-second-factor-change/${token}` },
      { kind: 'link', label: 'Reset your password', url: `${shopUrl}/lost-password` },
    ],
    reason: 'You get this mail because it concerns the security of your account.',
  };
}

interface NoticeMailData {
  readonly kind: NoticeKind;
  /** Null until the address is confirmed. */
  readonly username: string | null;
  readonly at: Date;
}

const NOTICES: Readonly<Record<NoticeKind, { readonly title: string; readonly what: string; readonly next: string }>> =
  {
    'password-changed': {
      title: 'Your password was changed',
      what: 'the password of your account was changed',
      next: 'All other devices were logged out.',
    },
    'password-reset': {
      title: 'Your password was reset',
      what: 'the password of your account was reset with a code that we sent to this address',
      next: 'All devices were logged out. Log in with the new password.',
    },
    'address-changed': {
      title: 'Your email address was changed',
      what: 'the email address of your account was changed',
      next: 'We send no more mail to this address.',
    },
    'second-factor-added': {
      title: 'An authenticator app was added',
      what: 'an authenticator app was added to your account',
      next: 'All other devices were logged out.',
    },
    'second-factor-removed': {
      title: 'Your authenticator app was removed',
      what: 'the authenticator app of your account was removed',
      next: 'It can’t be used to log in any more.',
    },
    'recovery-code-used': {
      title: 'A recovery code was used',
      what: 'a recovery code of your account was used',
      next: 'It can’t be used again.',
    },
    'passkey-added': {
      title: 'A passkey was added',
      what: 'a passkey was added to your account',
      next: 'It can be used to log in, after your password.',
    },
    'passkey-removed': {
      title: 'A passkey was removed',
      what: 'a passkey of your account was removed',
      next: 'It can’t be used to log in any more.',
    },
    'recovery-codes-replaced': {
      title: 'Your recovery codes were replaced',
      what: 'the recovery codes of your account were replaced',
      next: 'The former ones can’t be used any more.',
    },
    'factor-change-cancelled': {
      title: 'A change of your second factors was cancelled',
      what: 'the change of your second factors that waited for a day was cancelled',
      next: 'Your second factors stay as they are.',
    },
  };

export function writeNotice({ kind, username, at }: NoticeMailData, shopUrl: string): MailContents {
  const { title, what, next } = NOTICES[kind];
  // A new code would go to the new address.
  const isAddress = kind === 'address-changed';
  return {
    subject: title,
    title,
    preview: 'If this was you, you don’t need to do anything.',
    blocks: [
      createText(`${createGreeting(username)} on ${formatDate(at, 'moment', UTC)} ${what}. ${next}`),
      createText('If this was you, you don’t need to do anything.'),
      createText(
        isAddress
          ? 'If this was not you, somebody else knows your password. Write to us now, from this address:'
          : 'If this was not you, reset your password now, and change the password of your mailbox too:',
      ),
      isAddress
        ? { kind: 'link', label: 'Write to us', url: `${shopUrl}/contact` }
        : { kind: 'link', label: 'Reset your password', url: `${shopUrl}/lost-password` },
    ],
    reason: 'You get this mail because it concerns the security of your account.',
  };
}
