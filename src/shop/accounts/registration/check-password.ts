import { normaliseName } from './normalise-name.ts';

export interface PasswordOwner {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

export const COMMON_PASSWORD_MESSAGE = 'is too easy to guess';

const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/** Whether a password consists of blanks and invisible characters only. */
export const isBlankPassword = (password: string): boolean => password.replaceAll(INVISIBLE, '') === '';

/**
 * Why a password is refused; null if accepted. The contract checks its length.
 * @param owner name and address of the account, as far as known
 */
export function checkPassword(
  password: string,
  { username, email }: PasswordOwner,
  isCommon: (password: string) => boolean,
): string | null {
  if (isBlankPassword(password)) return 'must not be blank';
  if (isCommon(password)) return COMMON_PASSWORD_MESSAGE;
  const key = normaliseName(password);
  const isSame = (name: string | undefined): boolean =>
    name !== undefined && key !== null && normaliseName(name) === key;
  if (isSame(username)) return 'must not be your username';
  return isSame(email) || isSame(email?.split('@')[0]) ? 'must not be your email address' : null;
}
