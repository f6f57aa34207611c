/** Why a registration failed, for the page with scripts and without. */
import type { RegistrationDraft } from '../check-registration.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { formatWait } from '#src/storefront/format-wait.ts';
import { readField } from '../../web/read-field.ts';

export type FieldName = keyof RegistrationDraft;
type Messages = Partial<Record<FieldName, string>>;

export const FIELDS = ['username', 'email', 'password'] as const;
const LABELS: Readonly<Record<FieldName, string>> = { username: 'Username', email: 'Email', password: 'Password' };
const REFUSED = 'Registration failed. Please try again.';

export interface RegistrationFailure {
  readonly title: string;
  readonly detail: string | null;
  readonly messages: Messages;
}

export interface FormState extends RegistrationDraft {
  readonly hasAgreed: boolean;
}

export const readForm = (data: FormData): FormState => ({
  username: readField(data, 'username'),
  email: readField(data, 'email'),
  password: readField(data, 'password'),
  hasAgreed: data.has('terms'),
});

/** Title, detail and field errors of a failed registration. */
export function toFailure(error: unknown): RegistrationFailure {
  if (!isRefusal(error)) {
    return { title: 'Registration failed. Please try again later.', detail: null, messages: {} };
  }
  if (error.status === 429) {
    return { title: REFUSED, detail: `Too many attempts. ${formatWait(error.retryAfterSeconds)}`, messages: {} };
  }
  const messages: Messages = {};
  for (const name of FIELDS) {
    const reason = error.fields[name];
    if (reason !== undefined) messages[name] = `${LABELS[name]} ${reason}`;
  }
  // A password is explained at its field only, where it is typed again.
  const { password: _password, ...others } = messages;
  const reasons = Object.values(others).map((text) => `${text}.`);
  return { title: REFUSED, detail: reasons.length > 0 ? reasons.join(' ') : null, messages };
}

/** Of a form that was sent incomplete. */
export function toIncomplete(messages: { readonly [Name in FieldName]: string | null }): RegistrationFailure {
  const texts = FIELDS.flatMap((name) => (messages[name] === null ? [] : [[name, messages[name]] as const]));
  const detail = texts.length > 0 ? null : 'Agree to the terms to register.';
  return { title: REFUSED, detail, messages: Object.fromEntries(texts) };
}
