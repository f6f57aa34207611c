/** What the forms of an invitation contain, and why they were refused. */
import { isApiFailure } from '#src/storefront/api.ts';
import { readField } from '#src/ui/form/read-field.ts';
import { toAccountFailure } from '../../web/account-failure.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';

const LABELS = { username: 'Username', password: 'Password', email: 'The address' } as const;

export const readMember = (data: FormData) => ({
  username: readField(data, 'username').trim(),
  password: readField(data, 'password'),
});

const TITLE = 'Not accepted';

/** Of a new account. */
export function toJoinFailure(error: unknown): FormFailure {
  const failure = toAccountFailure(error, TITLE, LABELS);
  if (isApiFailure(error) && error.code === 'invitation-closed') return { ...failure, text: `${error.message}.` };
  const { email } = failure.problems;
  const hasAccount = email !== undefined && describeOutage(error) === null;
  return hasAccount ? { ...failure, text: `${email}. Log in with that account to accept.` } : failure;
}

/** Of an account that exists. */
export const toAcceptFailure = (error: unknown): FormFailure => ({
  title: TITLE,
  text: describeOutage(error) ?? (isApiFailure(error) ? `${error.message}.` : ''),
  problems: {},
});
