// '%', '_' and '\' belong to a word: they are ordinary characters.
const BETWEEN_WORDS = /[^\p{L}\p{N}%_\\]+/u;
const BETWEEN_ASCII_WORDS = /[^a-z0-9%_\\]+/;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/;
const LETTERS = /^\p{L}+$/u;
const DIGITS_OR_OTHERS = /\p{N}+|\P{N}+/gu;

/** The words of a text in lower case, without accents and punctuation. */
export function splitWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const words = ASCII.test(lower)
    ? lower.split(BETWEEN_ASCII_WORDS)
    : lower
        .normalize('NFKD')
        .replaceAll(/\p{M}+/gu, '')
        .toLowerCase()
        .split(BETWEEN_WORDS);
  return words.filter((word) => word !== '');
}

/** Whether a word consists of letters only; a digit that differs is another product, not a typo. */
export const isLetters = (word: string): boolean => LETTERS.test(word);

/** Splits a word where letters and digits meet, `iphone17` into `iphone` and `17`; not where a single letter is left. */
export function splitAtDigits(word: string): readonly string[] {
  const parts = word.match(DIGITS_OR_OTHERS) ?? [];
  return parts.some((part) => part.length === 1 && isLetters(part)) ? [word] : parts;
}
