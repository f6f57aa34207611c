import { MIN_EXACT_MATCHES, TermMatcher, UNMATCHED } from '../filters/term-matches.ts';
import type { TermMatches, TermMatchOptions } from '../filters/term-matches.ts';
import { isLetters, splitWords } from './search-words.ts';
import type { WordIndex } from './word-index.ts';

/** How a product matches a text: the lower, the earlier it is listed. 0 is no match. */
export const RANK = {
  /** Its name contains the text. */
  exact: 1,
  /** Its name has the words in another order, or with other blanks. */
  words: 2,
  /** Its name has the words when wrong letters are forgiven. */
  typos: 3,
} as const;

export interface TextMatches {
  /** By the position of the product. */
  readonly ranks: Uint8Array;
  /** The highest rank among them; 1 where nothing was forgiven. */
  readonly lastRank: number;
}

/** Nothing is forgiven where a page is full without. */
const SUFFICIENT_MATCHES = 24;
const MIN_LENGTH_WITH_TYPO = 4;
const MIN_LENGTH_WITH_TWO_TYPOS = 5;
const MAX_LENGTH_WITH_TYPO = 24;
/** Further words of a name are not looked at. */
const MAX_NAME_WORDS = 31;

/** How many wrong letters a word may have. */
function getMaxTypos(word: string): number {
  if (!isLetters(word) || word.length < MIN_LENGTH_WITH_TYPO || word.length > MAX_LENGTH_WITH_TYPO) return 0;
  return word.length < MIN_LENGTH_WITH_TWO_TYPOS ? 1 : 2;
}

const WITHOUT_TYPOS: TermMatchOptions = { maxEdits: null, minJoinedLength: 1, maxWordsToJoin: Infinity };
/** A single letter that is joined to a word would be forgiven as a typo, and ignored. */
const WITH_TYPOS: TermMatchOptions = { maxEdits: getMaxTypos, minJoinedLength: 2, maxWordsToJoin: 4 };

/**
 * Adds the products that a text may mean to those whose names contain it.
 * @param ranks `RANK.exact` for the products whose names contain the text, else 0; changed in place
 * @param exact how many those are
 */
export function addFuzzyMatches(index: () => WordIndex, text: string, ranks: Uint8Array, exact: number): TextMatches {
  if (exact >= SUFFICIENT_MATCHES) return { ranks, lastRank: RANK.exact };
  const words = splitWords(text);
  const reordered = addMatches(index(), { ranks, words, rank: RANK.words }, WITHOUT_TYPOS);
  const misspelled =
    exact + reordered < MIN_EXACT_MATCHES ? addMatches(index(), { ranks, words, rank: RANK.typos }, WITH_TYPOS) : 0;
  if (misspelled > 0) return { ranks, lastRank: RANK.typos };
  return { ranks, lastRank: reordered > 0 ? RANK.words : RANK.exact };
}

interface Addition {
  readonly ranks: Uint8Array;
  readonly words: readonly string[];
  readonly rank: number;
}

/** Gives the rank to the products without one that take the fewest edits. Returns how many those are. */
function addMatches(index: WordIndex, { ranks, words, rank }: Addition, options: TermMatchOptions): number {
  const query = new TermMatcher(index, options);
  let fewest = UNMATCHED;
  let found: number[] = [];
  for (const reading of query.listTokenisations(words)) {
    const slots = query.matchTerms(reading).flatMap((slot) => slot ?? []);
    if (slots.length < reading.length) continue;
    slots.sort((a, b) => a.numbers.length - b.numbers.length);
    for (const position of listCandidates(index, slots)) {
      if (ranks[position] !== 0) continue;
      const edits = countEdits(index, slots, position, fewest);
      if (edits > fewest || edits === UNMATCHED) continue;
      if (edits < fewest) found = [];
      fewest = edits;
      found.push(position);
    }
  }
  const distinct = new Set(found);
  for (const position of distinct) ranks[position] = rank;
  return distinct.size;
}

/** The products that have a word of the rarest slot; some more than once. */
function* listCandidates({ starts, positions }: WordIndex, slots: readonly TermMatches[]): Iterable<number> {
  const rarest = slots.reduce((rare, slot) => (slot.occurrences < rare.occurrences ? slot : rare));
  for (const number of rarest.numbers) yield* positions.subarray(starts[number] ?? 0, starts[number + 1] ?? 0);
}

/**
 * The edits that a product takes to have a word of its own for each slot; `UNMATCHED` where it has none, or where it
 * takes more than `most`. Slots of few words choose first: what is left is enough for the others, if anything is.
 */
function countEdits(index: WordIndex, slots: readonly TermMatches[], position: number, most: number): number {
  const { nameWords, nameStarts } = index;
  const start = nameStarts[position] ?? 0;
  const length = Math.min(MAX_NAME_WORDS, (nameStarts[position + 1] ?? 0) - start);
  let sum = 0;
  let taken = 0;
  for (const { edits } of slots) {
    let [best, bestAt] = [UNMATCHED, 0];
    for (let at = 0; at < length && best > 0; at += 1) {
      const own = edits[nameWords[start + at] ?? 0] ?? UNMATCHED;
      if (own >= best || (taken & (1 << at)) !== 0) continue;
      [best, bestAt] = [own, at];
    }
    sum += best;
    taken |= 1 << bestAt;
    if (sum > most || best === UNMATCHED) return UNMATCHED;
  }
  return sum;
}
