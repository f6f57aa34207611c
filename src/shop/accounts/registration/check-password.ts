import { normaliseName } from './normalise-name.ts';

export interface PasswordOwner {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  /** The account has a role, so its password must be longer. */
  readonly isStaff?: boolean | undefined;
}

/** Of accounts with a role. Customers need `MIN_PASSWORD_LENGTH`. */
export const MIN_STAFF_PASSWORD_LENGTH = 12;

export const COMMON_PASSWORD_MESSAGE = 'is too easy to guess';

const INVISIBLE = /[\s\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;

/** Whether a password consists of blanks and invisible characters only. */
export const isBlankPassword = (password: string): boolean => password.replaceAll(INVISIBLE, '') === '';

/** Whether a password is too short for an account with a role. */
export const isShortForStaff = (password: string): boolean => password.length < MIN_STAFF_PASSWORD_LENGTH;

/**
 * Why a password is refused; null if accepted. The contract checks the length that customers need.
 * @param owner name and address of the account, as far as known
 */
export function checkPassword(
  password: string,
  { username, email, isStaff = false }: PasswordOwner,
  isCommon: (password: string) => boolean,
): string | null {
  if (isBlankPassword(password)) return 'must not be blank';
  if (isStaff && isShortForStaff(password)) return `must be at least ${MIN_STAFF_PASSWORD_LENGTH} characters`;
  if (isCommon(password)) return COMMON_PASSWORD_MESSAGE;
  const key = normaliseName(password);
  const isSame = (name: string | undefined): boolean =>
    name !== undefined && key !== null && normaliseName(name) === key;
  if (isSame(username)) return 'must not be your username';
  return isSame(email) || isSame(email?.split('@')[0]) ? 'must not be your email address' : null;
}
