import { MIN_EXACT_MATCHES, TermMatcher, UNMATCHED } from '../filters/term-matches.ts';
import type { TermMatches, TermMatchOptions } from '../filters/term-matches.ts';
import { isLetters, splitWords } from './search-words.ts';
import type { WordIndex } from './word-index.ts';

/** Quality of a match; lower ranks are listed first. 0 means no match. */
export const RANK = {
  /** The name contains the text. */
  exact: 1,
  /** The name has the words in another order or with other spaces. */
  words: 2,
  /** The name has the words with typos. */
  typos: 3,
} as const;

export interface TextMatches {
  /** By position of the product. */
  readonly ranks: Uint8Array;
  /** Highest rank among the matches; 1 without fuzzy matches. */
  readonly lastRank: number;
}

/** With this many matches no typos are considered: a full page. */
const SUFFICIENT_MATCHES = 24;
const MIN_LENGTH_WITH_TYPO = 4;
const MIN_LENGTH_WITH_TWO_TYPOS = 5;
const MAX_LENGTH_WITH_TYPO = 24;
/** Further words of a name are ignored. */
const MAX_NAME_WORDS = 31;

/** Maximum number of typos in a word. */
function getMaxTypos(word: string): number {
  if (!isLetters(word) || word.length < MIN_LENGTH_WITH_TYPO || word.length > MAX_LENGTH_WITH_TYPO) return 0;
  return word.length < MIN_LENGTH_WITH_TWO_TYPOS ? 1 : 2;
}

const WITHOUT_TYPOS: TermMatchOptions = { maxEdits: null, minJoinedLength: 1, maxWordsToJoin: Infinity };
/** A single joined letter would count as a typo and be ignored. */
const WITH_TYPOS: TermMatchOptions = { maxEdits: getMaxTypos, minJoinedLength: 2, maxWordsToJoin: 4 };

/**
 * Adds fuzzy matches to exact matches.
 * @param ranks `RANK.exact` for exact matches, otherwise 0; changed in place
 * @param exact number of exact matches
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

/** Ranks the unranked products with the fewest edits. Returns their number. */
function addMatches(index: WordIndex, { ranks, words, rank }: Addition, options: TermMatchOptions): number {
  const query = new TermMatcher(index, options);
  let fewest = UNMATCHED;
  let positionsFound: number[] = [];
  for (const reading of query.listTokenisations(words)) {
    const slots = query.matchTerms(reading).flatMap((slot) => slot ?? []);
    if (slots.length < reading.length) continue;
    slots.sort((a, b) => a.numbers.length - b.numbers.length);
    for (const position of listCandidates(index, slots)) {
      if (ranks[position] !== 0) continue;
      const edits = countEdits(index, slots, position, fewest);
      if (edits > fewest || edits === UNMATCHED) continue;
      if (edits < fewest) positionsFound = [];
      fewest = edits;
      positionsFound.push(position);
    }
  }
  const distinct = new Set(positionsFound);
  for (const position of distinct) ranks[position] = rank;
  return distinct.size;
}

/** Products that contain a word of the rarest slot; may repeat. */
function* listCandidates({ starts, positions }: WordIndex, slots: readonly TermMatches[]): Iterable<number> {
  const rarest = slots.reduce((rare, slot) => (slot.occurrences < rare.occurrences ? slot : rare));
  for (const number of rarest.numbers) yield* positions.subarray(starts[number] ?? 0, starts[number + 1] ?? 0);
}

/**
 * Edits needed to match each slot with a different word of the product; `UNMATCHED` if impossible
 * or above `most`. Slots with few candidates choose first.
 */
function countEdits(index: WordIndex, slots: readonly TermMatches[], position: number, most: number): number {
  const { nameWords, nameStarts } = index;
  const start = nameStarts[position] ?? 0;
  const length = Math.min(MAX_NAME_WORDS, (nameStarts[position + 1] ?? 0) - start);
  let sum = 0;
  let used = 0;
  for (const { edits } of slots) {
    let [best, bestAt] = [UNMATCHED, 0];
    for (let at = 0; at < length && best > 0; at += 1) {
      const wordEdits = edits[nameWords[start + at] ?? 0] ?? UNMATCHED;
      if (wordEdits >= best || (used & (1 << at)) !== 0) continue;
      [best, bestAt] = [wordEdits, at];
    }
    sum += best;
    used |= 1 << bestAt;
    if (sum > most || best === UNMATCHED) return UNMATCHED;
  }
  return sum;
}
