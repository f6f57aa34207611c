import { foldText } from '#src/shop/fold-text.ts';

const MAX_WORDS = 12;

/** The folded words of a search. */
export const splitWords = (text: string): readonly string[] =>
  foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** Whether each word is part of one of the texts. */
export const hasAllWords = (words: readonly string[], texts: readonly string[]): boolean => {
  const lower = texts.map((text) => foldText(text));
  return words.every((word) => lower.some((text) => text.includes(word)));
};
