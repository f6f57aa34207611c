import { foldTyped } from '#src/shop/fold-typed.ts';

/** Base32 of RFC 4648: 5 bits per character, 40 bits per code. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const CODE_LENGTH = 8;
export const CODE_MINUTES = 10;

/** @param random one uniformly distributed byte per character */
export function generateCode(random: readonly number[]): string {
  if (random.length !== CODE_LENGTH) throw new Error(`A code needs ${CODE_LENGTH} random bytes`);
  return random.map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/**
 * Parses a typed code; null if it is not one. 0 and 1 are not in the alphabet and read as O and I.
 */
export function parseCode(typed: string): string | null {
  const code = foldTyped(typed)
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('0', 'O')
    .replaceAll('1', 'I');
  return /^[A-Z2-7]{8}$/.test(code) ? code : null;
}
