/** Why a registration failed, for the page with scripts and without. */
import type { RegistrationDraft } from '../check-registration.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { formatWait } from '#src/storefront/format-wait.ts';
import { findFailure } from '#src/ui/form/use-form.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { readField } from '#src/ui/form/read-field.ts';

export type FieldName = keyof RegistrationDraft;

export const FIELDS = ['username', 'email', 'password'] as const;
const LABELS: Readonly<Record<FieldName, string>> = { username: 'Username', email: 'Email', password: 'Password' };
const REFUSED = 'Registration failed. Please try again.';

export interface TypedRegistration extends RegistrationDraft {
  readonly hasAgreed: boolean;
}

export const readForm = (data: FormData): TypedRegistration => ({
  username: readField(data, 'username'),
  email: readField(data, 'email'),
  password: readField(data, 'password'),
  hasAgreed: data.has('terms'),
});

export function toFailure(error: unknown): FormFailure {
  if (!isRefusal(error)) {
    return { title: 'Registration failed. Please try again later.', text: null, problems: {} };
  }
  if (error.status === 429) {
    return { title: REFUSED, text: `Too many attempts. ${formatWait(error.retryAfterSeconds)}`, problems: {} };
  }
  const refused = FIELDS.filter((name) => error.fields[name] !== undefined);
  const problems = Object.fromEntries(refused.map((name) => [name, `${LABELS[name]} ${error.fields[name]}`]));
  // A password is explained at its field only, where it is typed again.
  const reasons = refused.flatMap((name) => (name === 'password' ? [] : [`${problems[name]}.`]));
  return { title: REFUSED, text: reasons.length > 0 ? reasons.join(' ') : null, problems };
}

/** Of a form that was sent incomplete. */
export function toIncomplete(messages: { readonly [Name in FieldName]: string | null }): FormFailure {
  const text = findFailure(messages) === null ? 'Agree to the terms to register.' : null;
  return { title: REFUSED, text, problems: messages };
}
