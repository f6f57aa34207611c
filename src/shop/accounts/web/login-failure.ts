/** Why a login failed, for the page with scripts and without. */
import { isApiFailure } from '#src/storefront/api.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';

export interface LoginFailure {
  readonly title: string;
  readonly detail: string | null;
  /** Names of empty fields. */
  readonly missing: readonly string[];
}

const REFUSED_MESSAGE = 'Please check your credentials';
const BLOCKED: LoginFailure = {
  title: 'This account is blocked',
  detail: 'You can’t log in or order. Use the contact page if you think this is a mistake.',
  missing: [],
};

export const LOGIN_EXPIRED: LoginFailure = {
  title: REFUSED_MESSAGE,
  detail: 'The login has expired. Enter your password again.',
  missing: [],
};

/** Null if both fields have a value. */
export function findMissing(username: string, password: string): LoginFailure | null {
  const missing = [...(username === '' ? ['username'] : []), ...(password === '' ? ['password'] : [])];
  return missing.length === 0 ? null : { title: REFUSED_MESSAGE, detail: null, missing };
}

export const toLoginFailure = (error: unknown): LoginFailure =>
  isApiFailure(error) && error.code === 'blocked'
    ? BLOCKED
    : { title: REFUSED_MESSAGE, detail: describeOutage(error), missing: [] };

export const describeCodeFailure = (error: unknown): string =>
  describeOutage(error) ?? 'The code is wrong or was used before';
