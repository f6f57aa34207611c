/** Recovery codes: 80 random bits in four groups, such as `K7QD-2MXA-PP4T-9VHC`. */
import { foldTyped } from '#src/shop/fold-typed.ts';

/** Crockford's base 32: without I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
export const RECOVERY_CODES = 10;
/** Random bytes of a code. */
export const RECOVERY_CODE_BYTES = LENGTH;

/** @param bytes random, one for each letter */
export const generateRecoveryCode = (bytes: readonly number[]): string =>
  groupLetters(bytes.map((byte) => ALPHABET[byte % ALPHABET.length] ?? '').join(''));

const groupLetters = (letters: string): string => letters.match(/.{1,4}/g)?.join('-') ?? '';

/** A typed code in its one form; null if it is none. Accepts spaces, small letters, and O and I for digits. */
export function parseRecoveryCode(typed: string): string | null {
  const letters = foldTyped(typed)
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return CODE.test(letters) ? groupLetters(letters) : null;
}

/** A typed code of an app, without spaces; null if it is none. */
export function parseAppCode(typed: string): string | null {
  const digits = foldTyped(typed).replaceAll(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : null;
}
