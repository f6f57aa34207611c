/** RFC 4648's base32: 5 bits a letter, so a code of 8 has 40. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const CODE_LENGTH = 8;
export const CODE_MINUTES = 10;

/** @param random one byte a letter, each value as likely as any other */
export function generateCode(random: readonly number[]): string {
  if (random.length !== CODE_LENGTH) throw new Error(`a code takes ${CODE_LENGTH} random bytes`);
  return random.map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** A code as somebody typed it; null for what can be none. The alphabet has no 0 and no 1, so what looks alike is meant. */
export function parseCode(typed: string): string | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I');
  return /^[A-Z2-7]{8}$/.test(code) ? code : null;
}
