/** What users are told of their accounts by mail, in words. */
import { formatDate, UTC } from '#src/shop/format.ts';
import type { NoticeKind } from '#src/shop/accounts/profile/notice-kind.ts';
import { CODE_MINUTES } from '#src/shop/accounts/password-reset/reset-code.ts';
import type { MailBlock, MailContents } from './render-mail.ts';
import { createGreeting } from './user-text.ts';

const text = (words: string): MailBlock => ({ kind: 'text', text: words });

interface CodeMailData {
  /** Null until the address is confirmed. */
  readonly username: string | null;
  readonly code: string;
}

export function writeCodeMail({ username, code }: CodeMailData, shopUrl: string): MailContents {
  return {
    subject: 'Your code to reset your password',
    title: 'Your reset code',
    preview: `It works once, within ${CODE_MINUTES} minutes.`,
    blocks: [
      text(`${createGreeting(username)} type this code where you asked for it, together with a new password:`),
      { kind: 'facts', facts: [{ label: 'Code', value: code, isCode: true }] },
      text(`It works once, within ${CODE_MINUTES} minutes. Nobody of us will ever ask you for it.`),
      { kind: 'link', label: 'Reset your password', url: `${shopUrl}/lost-password` },
      text('You did not ask for a code? Then there is nothing to do: without it your password stays as it is.'),
    ],
    reason: 'You get this mail because somebody asked for a code for the account with this address.',
  };
}

/** Without the user's name: whoever types another's address must not choose what the mail says to its owner. */
export function writeConfirmationMail({ token }: { readonly token: string }, shopUrl: string): MailContents {
  return {
    subject: 'Please confirm your email address',
    title: 'Please confirm your email address',
    preview: 'Then we know that our mails reach you.',
    blocks: [
      text(
        'Receipts and news of your orders go to this address. Open the link and press Confirm, so that we know that they reach you:',
      ),
      { kind: 'link', label: 'Confirm this address', url: `${shopUrl}/confirm-email/${token}` },
      text('The link works once, within three days. Your account works in the meantime.'),
      text('You have no account with us? Then somebody mistyped an address: do nothing, and nothing is confirmed.'),
    ],
    reason: 'You get this mail because an account with this address was opened or changed.',
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
      next: 'All other devices were signed out.',
    },
    'password-reset': {
      title: 'Your password was reset',
      what: 'the password of your account was replaced by means of a code that we sent to this address',
      next: 'All devices were signed out: log in with the new password.',
    },
    'address-changed': {
      title: 'Your email address was changed',
      what: 'your account was given another email address',
      next: 'This is our last mail to this one.',
    },
  };

export function writeNotice({ kind, username, at }: NoticeMailData, shopUrl: string): MailContents {
  const { title, what, next } = NOTICES[kind];
  // A new code would go to the new address.
  const isAddress = kind === 'address-changed';
  return {
    subject: title,
    title,
    preview: 'If it was you, there is nothing to do.',
    blocks: [
      text(`${createGreeting(username)} on ${formatDate(at, 'moment', UTC)} ${what}. ${next}`),
      text('If it was you, there is nothing to do.'),
      text(
        isAddress
          ? 'If it was not you, somebody else knows your password. Write to us at once, from this address:'
          : 'If it was not you, set a new password at once, and one for your mailbox too:',
      ),
      isAddress
        ? { kind: 'link', label: 'Write to us', url: `${shopUrl}/contact` }
        : { kind: 'link', label: 'Reset your password', url: `${shopUrl}/lost-password` },
    ],
    reason: 'You get this mail because it concerns the safety of your account.',
  };
}
