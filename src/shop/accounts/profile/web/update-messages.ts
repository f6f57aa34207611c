import { checkRegistration } from '../../registration/check-registration.ts';
import { describeFailure } from '../../web/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';

export type FieldName = 'username' | 'email' | 'password';

export const UPDATED_MESSAGE = 'User information updated successfully!';
export const NOT_UPDATED_MESSAGE = 'Failed to update user information. Please try again.';

const NAMES: Readonly<Record<FieldName, string>> = {
  username: 'Username',
  email: 'Email address',
  password: 'Password',
};

/** What is wrong with a value before it is sent, in the words of the registration; null when nothing is. */
export const checkField = (name: FieldName, value: string): string | null =>
  checkRegistration({ username: 'x', email: 'x@example.com', password: 'xxxxxx', [name]: value })[name];

/** Why a change was refused, for beneath its field. */
export function getUpdateError(name: FieldName, error: unknown): string | null {
  const reason = isRefusal(error) ? error.fields[name] : undefined;
  return reason === undefined ? describeFailure(error) : `${NAMES[name]} ${reason}`;
}

/** The password is wanted once more before this may change. */
export const isReauthenticationRequired = (error: unknown): boolean => isRefusal(error) && error.code === 'reauth';
