/** The last character of Unicode, after which no text with the same beginning is sorted. */
export const LAST_CHARACTER = '\u{10ffff}';

/** A shorter text begins too many SKUs, often those of all products: it must be the whole SKU. */
export const MIN_SKU_PREFIX = 3;

/** A full-text query for products that have all words, each at its beginning; null without a word. */
export function toWordQuery(text: string): string | null {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ');
}
