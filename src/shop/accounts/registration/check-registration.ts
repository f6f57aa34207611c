import { isBlankPassword } from './check-password.ts';

/** Text, @, and a domain whose last part has at least two letters. Used by browser and server. */
export const EMAIL_PATTERN = /^[^\s@]+@(?:[^\s@.]+\.)+[a-z]{2,}$/i;
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
  return EMAIL_PATTERN.test(email) ? null : 'Please enter a valid email address';
}

function checkPassword(password: string): string | null {
  if (isBlankPassword(password)) return 'Password is required';
  return password.length < MIN_PASSWORD_LENGTH ? `Password must be at least ${MIN_PASSWORD_LENGTH} characters` : null;
}
