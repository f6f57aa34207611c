/** Why a login failed, for the page with scripts and without. */
import { isApiFailure } from '#src/storefront/api.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import type { FormFailure, Problems } from '#src/ui/form/use-form.ts';

export const REFUSED_MESSAGE = 'Please check your credentials';
const BLOCKED: FormFailure = {
  title: 'This account is blocked',
  text: 'You can’t log in or order. Use the contact page if you think this is a mistake.',
  problems: {},
};

export const LOGIN_EXPIRED: FormFailure = {
  title: REFUSED_MESSAGE,
  text: 'The login has expired. Enter your password again.',
  problems: {},
};

/** Marks the empty fields. */
export const findMissing = (credentials: { readonly username: string; readonly password: string }): Problems =>
  Object.fromEntries(Object.entries(credentials).flatMap(([name, value]) => (value === '' ? [[name, '']] : [])));

export const toLoginFailure = (error: unknown): FormFailure =>
  isApiFailure(error) && error.code === 'blocked'
    ? BLOCKED
    : { title: REFUSED_MESSAGE, text: describeOutage(error), problems: {} };

export const describeCodeFailure = (error: unknown): string =>
  describeOutage(error) ?? 'The code is wrong or was used before';
