/** Base32 of RFC 4648: 5 bits per character, without digits that look like letters. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 50 random bits, so that a code can't be guessed. */
export const RANDOM_CODE_LENGTH = 10;

/** @param random one uniformly distributed byte per character */
export function generatePromoCode(random: Iterable<number>): string {
  const bytes = [...random];
  if (bytes.length !== RANDOM_CODE_LENGTH) throw new Error(`A code needs ${RANDOM_CODE_LENGTH} random bytes`);
  return bytes.map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}
