/** References of returns: short, printed on slips, typed by staff. Random, so nobody can guess one. */

/** Without 0, 1, I, L and O, which are misread. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;

/** Largest multiple of the alphabet's length that a byte can hold: bytes from it on are left out, so each character is
 * equally likely. */
const LIMIT = 256 - (256 % ALPHABET.length);

/**
 * "R-7K2M-9QTX": 39 random bits.
 * @param bytes random; null if too few of them can be used
 */
export function formatReference(bytes: Uint8Array): string | null {
  const letters = [...bytes]
    .filter((byte) => byte < LIMIT)
    .slice(0, LENGTH)
    .map((byte) => ALPHABET[byte % ALPHABET.length] ?? '')
    .join('');
  return letters.length < LENGTH ? null : `R-${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The first reference in a text, such as the title of a ticket; null: none. */
export const findReference = (text: string): string | null =>
  /\bR-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}\b/.exec(text)?.[0] ?? null;

/** A typed or scanned reference in its standard form; null if it can be none. */
export function parseReference(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  const found = /^R([2-9A-HJKMNP-Z]{4})([2-9A-HJKMNP-Z]{4})$/.exec(letters);
  return found === null ? null : `R-${found[1]}-${found[2]}`;
}
