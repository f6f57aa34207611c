/** Why a password reset failed, for the page with scripts and without. */
import { isRefusal } from '#src/storefront/api.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { readField } from '../../web/read-field.ts';

export const NOT_SENT = 'Failed to send reset code. Please try again.';
export const SENT = 'Reset code has been sent to your email';
export const EMAIL_MISSING = 'Please enter your email address';
const FIELD_MISSING = 'Please fill in all fields';
const REFUSED = 'Failed to reset password. Please check your code and try again.';
const FIELDS = ['email', 'code', 'newPassword'] as const;
export type FieldName = (typeof FIELDS)[number];

export interface ResetFailure {
  readonly title: string;
  readonly detail: string | null;
  /** Fields marked as invalid. */
  readonly fields: readonly FieldName[];
}

export const readReset = (form: FormData): Record<FieldName, string> => ({
  email: readField(form, 'email').trim(),
  code: readField(form, 'code').trim(),
  newPassword: readField(form, 'newPassword'),
});

/** Null if all fields have a value. */
export function findMissing(values: Readonly<Record<FieldName, string>>): ResetFailure | null {
  const fields = FIELDS.filter((name) => values[name] === '');
  return fields.length === 0 ? null : { title: FIELD_MISSING, detail: null, fields };
}

export function toResetFailure(error: unknown): ResetFailure {
  const password = isRefusal(error) ? error.fields['newPassword'] : undefined;
  if (password !== undefined) return { title: REFUSED, detail: `The password ${password}.`, fields: ['newPassword'] };
  const reason = describeOutage(error);
  const detail = reason ?? 'A code works once, for 10 minutes and 5 attempts. You can request a new one.';
  return { title: REFUSED, detail, fields: reason === null ? ['code'] : [] };
}

export function describeNotSent(error: unknown): string | null {
  const isMistyped = isRefusal(error) && error.fields['email'] !== undefined;
  return isMistyped ? 'Please enter a valid email address' : describeOutage(error);
}
