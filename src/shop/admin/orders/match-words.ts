const MAX_WORDS = 12;

/** The words of a search, in lower case. */
export const splitWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** Whether each word is part of one of the texts. */
export const hasAllWords = (words: readonly string[], texts: readonly string[]): boolean => {
  const lower = texts.map((text) => text.toLowerCase());
  return words.every((word) => lower.some((text) => text.includes(word)));
};
