/** Why a password reset failed, for the page with scripts and without. */
import { isRefusal } from '#src/storefront/api.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import type { FormFailure, Problems } from '#src/ui/form/use-form.ts';
import { readField } from '#src/ui/form/read-field.ts';

const NOT_SENT = 'Failed to send reset code. Please try again.';
export const SENT = 'Reset code has been sent to your email';
const EMAIL_MISSING = 'Please enter your email address';
export const FIELD_MISSING = 'Please fill in all fields';
const REFUSED = 'Failed to reset password. Please check your code and try again.';
const FIELDS = ['email', 'code', 'newPassword'] as const;
export type FieldName = (typeof FIELDS)[number];

export const readReset = (form: FormData): Record<FieldName, string> => ({
  email: readField(form, 'email').trim(),
  code: readField(form, 'code').trim(),
  newPassword: readField(form, 'newPassword'),
});

/** Marks the empty fields. */
export const findMissing = (values: Readonly<Record<FieldName, string>>): Problems =>
  Object.fromEntries(FIELDS.flatMap((name) => (values[name] === '' ? [[name, '']] : [])));

export function toResetFailure(error: unknown): FormFailure {
  const password = isRefusal(error) ? error.fields['newPassword'] : undefined;
  if (password !== undefined)
    return { title: REFUSED, text: `The password ${password}.`, problems: { newPassword: '' } };
  const reason = describeOutage(error);
  const text = reason ?? 'A code works once, for 10 minutes and 5 attempts. You can request a new one.';
  return { title: REFUSED, text, problems: reason === null ? { code: '' } : {} };
}

export function toNotSent(error: unknown): FormFailure {
  const isMistyped = isRefusal(error) && error.fields['email'] !== undefined;
  const text = isMistyped ? 'Please enter a valid email address' : describeOutage(error);
  return { title: NOT_SENT, text, problems: {} };
}

/** The first form has the message beside its field. */
export const toEmailMissing = (step: 'request' | 'reset'): FormFailure =>
  step === 'request'
    ? { text: null, problems: { email: EMAIL_MISSING } }
    : { title: EMAIL_MISSING, text: null, problems: { email: '' } };
