import SearchableMap from 'minisearch/SearchableMap';

/** Finds the words within an edit distance of a text, each with its distance. */
export type FuzzyIndex = (text: string, maxEdits: number) => Iterable<readonly [word: string, edits: number]>;

/** Puts words into a radix tree that is searched by Levenshtein distance. */
export function createFuzzyIndex(words: Iterable<string>): FuzzyIndex {
  const tree = new SearchableMap<true>();
  for (const word of words) tree.set(word, true);
  return (text, maxEdits) => [...tree.fuzzyGet(text, maxEdits)].map(([word, [, edits]]) => [word, edits] as const);
}
