const MAX_WORDS = 12;

/** A full-text query of PostgreSQL for texts with all these words or their beginnings; null without words. */
export function createWordQuery(text: string): string | null {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0
    ? null
    : words
        .slice(0, MAX_WORDS)
        // Most texts have a word with a given first letter.
        .map((word) => (word.length === 1 ? `'${word}'` : `'${word}':*`))
        .join(' & ');
}
