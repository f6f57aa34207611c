import { foldTyped } from '#src/shop/fold-typed.ts';
import { isBlankPassword } from './check-password.ts';

/**
 * Text, @, and a domain whose last part has at least two letters, of any script. Every such address can be sent to
 * (`isMailAddress`). Used by browser and server.
 */
export const EMAIL_PATTERN =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:[\p{L}\p{M}]{2,63}|[xX][nN]--[a-zA-Z\d]{1,59})$/u;
const MAX_LOCAL_PART = 64;

/** Whether the shop takes the address and can send to it. */
export const isEmail = (text: string): boolean => EMAIL_PATTERN.test(text) && text.lastIndexOf('@') <= MAX_LOCAL_PART;
export const MIN_PASSWORD_LENGTH = 6;

/** Field values of the registration form. */
export interface RegistrationDraft {
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** Error message of each field; null if valid. */
export type RegistrationMessages = { readonly [Field in keyof RegistrationDraft]: string | null };

export function checkRegistration({ username, email, password }: RegistrationDraft): RegistrationMessages {
  return {
    username: username.trim() === '' ? 'Username is required' : null,
    email: checkEmail(email.trim()),
    password: checkPassword(password),
  };
}

function checkEmail(email: string): string | null {
  if (email === '') return 'Email is required';
  return isEmail(foldTyped(email)) ? null : 'Please enter a valid email address';
}

function checkPassword(password: string): string | null {
  if (isBlankPassword(password)) return 'Password is required';
  return password.length < MIN_PASSWORD_LENGTH ? `Password must be at least ${MIN_PASSWORD_LENGTH} characters` : null;
}
