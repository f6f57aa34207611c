import { foldText } from '#src/shop/fold-text.ts';

// '%', '_' and '\' are ordinary characters of a word.
const BETWEEN_WORDS = /[^\p{L}\p{N}%_\\]+/u;
const BETWEEN_ASCII_WORDS = /[^a-z0-9%_\\]+/;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
const LETTERS = /^\p{L}+$/u;
const DIGITS_OR_OTHERS = /\p{N}+|\P{N}+/gu;

/** Splits a text into lower-case words without accents and punctuation. */
export function splitWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const words = ASCII.test(lower) ? lower.split(BETWEEN_ASCII_WORDS) : foldText(text).split(BETWEEN_WORDS);
  return words.filter((word) => word !== '');
}

/** Whether a word has letters only. A different digit is another product, not a typo. */
export const isLetters = (word: string): boolean => LETTERS.test(word);

/**
 * Splits a word between letters and digits, `iphone17` into `iphone` and `17`, unless a single
 * letter would remain.
 */
export function splitAtDigits(word: string): readonly string[] {
  const parts = word.match(DIGITS_OR_OTHERS) ?? [];
  return parts.some((part) => part.length === 1 && isLetters(part)) ? [word] : parts;
}
