import { checkRegistration } from '../../registration/check-registration.ts';
import { failureReason } from '../../web/failure-reason.ts';
import { isRefusal } from '#src/storefront/api.ts';

export type FieldName = 'username' | 'email' | 'password';

export const UPDATED = 'User information updated successfully!';
export const NOT_UPDATED = 'Failed to update user information. Please try again.';

const NAMES: Readonly<Record<FieldName, string>> = {
  username: 'Username',
  email: 'Email address',
  password: 'Password',
};

/** What is wrong with a value before it is sent, in the words of the registration; null when nothing is. */
export const checkField = (name: FieldName, value: string): string | null =>
  checkRegistration({ username: 'x', email: 'x@example.com', password: 'xxxxxx', [name]: value })[name];

/** Why a change was refused, for beneath its field. */
export function whyNotUpdated(name: FieldName, error: unknown): string | null {
  const reason = isRefusal(error) ? error.fields[name] : undefined;
  return reason === undefined ? failureReason(error) : `${NAMES[name]} ${reason}`;
}

/** The password is wanted once more before this may change. */
export const isReauthWanted = (error: unknown): boolean => isRefusal(error) && error.code === 'reauth';
