/** What the forms of an invitation contain, and why they were refused. */
import { isApiFailure } from '#src/storefront/api.ts';
import { readField } from '../../web/read-field.ts';
import { toAccountFailure } from '../../web/account-failure.ts';
import type { AccountFailure } from '../../web/account-failure.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';

const LABELS = { username: 'Username', password: 'Password', email: 'The address' } as const;

export const readMember = (data: FormData) => ({
  username: readField(data, 'username').trim(),
  password: readField(data, 'password'),
});

/** Of a new account. */
export function toJoinFailure(error: unknown): AccountFailure {
  if (isApiFailure(error) && error.code === 'invitation-closed') return { detail: `${error.message}.`, messages: {} };
  const { detail, messages } = toAccountFailure(error, LABELS);
  const hasAccount = 'email' in messages && describeOutage(error) === null;
  return { detail: hasAccount ? `${messages['email']}. Log in with that account to accept.` : detail, messages };
}

/** Of an account that exists. */
export const toAcceptFailure = (error: unknown): AccountFailure => ({
  detail: describeOutage(error) ?? (isApiFailure(error) ? `${error.message}.` : ''),
  messages: {},
});
