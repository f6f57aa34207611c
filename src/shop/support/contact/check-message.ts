/** Rules for contact messages. Used by browser and server. */
import { isEmail } from '#src/shop/accounts/registration/check-registration.ts';
import { foldTyped } from '#src/shop/fold-typed.ts';

export const MAX_LENGTHS = { firstName: 100, lastName: 100, email: 254, message: 4000 } as const;

/** Field values of the contact form. */
export interface MessageDraft {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly message: string;
}
export type MessageField = keyof MessageDraft;

export const MESSAGE_FIELDS = ['firstName', 'lastName', 'email', 'message'] as const;
export const MESSAGE_LABELS: Readonly<Record<MessageField, string>> = {
  firstName: 'First Name',
  lastName: 'Last Name',
  email: 'Email',
  message: 'Comment or Message',
};

/** Error messages of the invalid fields. */
export type MessageErrors = { readonly [Field in MessageField]?: string };

/** Trims and normalises line ends: forms send CRLF. */
export const normaliseMessage = ({ firstName, lastName, email, message }: MessageDraft): MessageDraft => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: email.trim(),
  message: message.replaceAll(/\r\n?/g, '\n').trim(),
});

export function checkMessage(draft: MessageDraft): MessageErrors {
  const tidy = normaliseMessage(draft);
  const errors: Partial<Record<MessageField, string>> = {};
  for (const field of MESSAGE_FIELDS) {
    const message = findError(field, tidy[field]);
    if (message !== null) errors[field] = message;
  }
  return errors;
}

function findError(field: MessageField, text: string): string | null {
  if (text === '') return `${MESSAGE_LABELS[field]} is required`;
  const maximum = MAX_LENGTHS[field];
  if (text.length > maximum) {
    return `${MESSAGE_LABELS[field]} is too long (${text.length} of ${maximum} characters)`;
  }
  return field === 'email' && !isEmail(foldTyped(text)) ? 'Please enter a valid email address' : null;
}
