/** The most common passwords of public leaks, from the ranked list of zxcvbn. */
import { dictionary } from '@zxcvbn-ts/language-common';

const COMMON_PASSWORD_COUNT = 10_000;
/** Shorter passwords are not accepted. */
const MIN_LENGTH = 6;

const COMMON: ReadonlySet<string> = new Set(
  dictionary['passwords-common']
    .filter(({ length }) => length >= MIN_LENGTH)
    .slice(0, COMMON_PASSWORD_COUNT)
    .map((password) => password.toLowerCase()),
);

/** Ignores case, width and blanks around the password. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.normalize('NFKC').toLowerCase().trim());
}
