/** What the form of the first owner contains, and why it was refused. */
import { isApiFailure } from '#src/storefront/api.ts';
import { readField } from '#src/ui/form/read-field.ts';
import { toAccountFailure } from '../../web/account-failure.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';

const LABELS = { username: 'Username', email: 'Email', password: 'Password' } as const;
const TITLE = 'Not created';
const LINK_ENDED: FormFailure = {
  title: TITLE,
  text: 'This link is not valid any more. If you created the account with it, log in.',
  problems: {},
};

export const readOwner = (data: FormData) => ({
  username: readField(data, 'username').trim(),
  email: readField(data, 'email').trim(),
  password: readField(data, 'password'),
});

export const toOwnerFailure = (error: unknown): FormFailure =>
  isApiFailure(error) && error.status === 404 ? LINK_ENDED : toAccountFailure(error, TITLE, LABELS);
