import { checkRegistration } from '../registration/check-registration.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';

export type FieldName = 'username' | 'email' | 'password';

export const UPDATED_MESSAGE = 'User information updated successfully!';
export const NOT_UPDATED_MESSAGE = 'Failed to update user information. Please try again.';

const NAMES: Readonly<Record<FieldName, string>> = {
  username: 'Username',
  email: 'Email address',
  password: 'Password',
};

/**
 * Client-side error of a value, worded as in registration; null if valid.
 * @param minLength of a password
 */
export function checkField(name: FieldName, value: string, minLength = 0): string | null {
  const problem = checkRegistration({ username: 'x', email: 'x@example.com', password: 'xxxxxx', [name]: value })[name];
  const isShort = name === 'password' && value.length < minLength;
  return problem ?? (isShort ? `Password must be at least ${minLength} characters` : null);
}

/** Error message below the field. */
export function getUpdateError(name: FieldName, error: unknown): string | null {
  const reason = isRefusal(error) ? error.fields[name] : undefined;
  return reason === undefined ? describeOutage(error) : `${NAMES[name]} ${reason}`;
}

/** Whether the user has to enter the password again first. */
export const isReauthenticationRequired = (error: unknown): boolean => isRefusal(error) && error.code === 'reauth';
