import { QueryColumns, UNMATCHED } from './query-columns.ts';
import { isLetters, wordsOf } from './search-words.ts';
import type { WordIndex } from './word-index.ts';

const SHORTEST_WITH_TYPO = 4;
const SHORTEST_WITH_TWO_TYPOS = 5;
const LONGEST_WITH_TYPO = 24;

/** How many wrong letters a word may have. */
function maxTypos(word: string): number {
  if (!isLetters(word) || word.length < SHORTEST_WITH_TYPO || word.length > LONGEST_WITH_TYPO) return 0;
  return word.length < SHORTEST_WITH_TWO_TYPOS ? 1 : 2;
}

/** How a product matches a text: the lower, the earlier it is listed. */
export const RANK = {
  /** Its name contains the text. */
  exact: 1,
  /** Its name has the words in another order, or with other blanks. */
  words: 2,
  /** Its name has the words when wrong letters are forgiven. */
  typos: 3,
} as const;

/** Typos are looked for where fewer products match without. */
const FEW = 3;

/**
 * Adds the products that a text may mean to those whose names contain it.
 * @param exact by the position of the product, not 0 where its name contains the text
 * @returns the rank of each product by its position, 0 where it does not match
 */
export function forgiveText(index: WordIndex, text: string, exact: Uint8Array): Uint8Array {
  const ranks = exact.map((one) => (one === 0 ? 0 : RANK.exact));
  const words = wordsOf(text);
  addMatches(ranks, new QueryColumns(index, () => 0), words, RANK.words);
  const found = ranks.reduce((count, one) => (one === 0 ? count : count + 1), 0);
  if (found < FEW) addMatches(ranks, new QueryColumns(index, maxTypos), words, RANK.typos);
  return ranks;
}

/** Gives the rank to those without one that take the fewest edits. */
function addMatches(ranks: Uint8Array, columns: QueryColumns, words: readonly string[], rank: number): void {
  const edits = new Uint8Array(ranks.length).fill(UNMATCHED);
  let fewest = UNMATCHED;
  for (const reading of columns.readings(words)) {
    const own = reading.map((word, at) => columns.editsOf(word, at === reading.length - 1));
    if (own.includes(null)) continue;
    for (let position = 0; position < ranks.length; position += 1) {
      if (ranks[position] !== 0) continue;
      let sum = 0;
      for (const column of own) {
        sum += column?.[position] ?? UNMATCHED;
        if (sum >= UNMATCHED) break;
      }
      if (sum >= (edits[position] ?? 0)) continue;
      edits[position] = sum;
      if (sum < fewest) fewest = sum;
    }
  }
  if (fewest === UNMATCHED) return;
  for (let position = 0; position < ranks.length; position += 1) if (edits[position] === fewest) ranks[position] = rank;
}
