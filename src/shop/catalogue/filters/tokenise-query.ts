import { splitAtDigits } from '../search/search-words.ts';

/** Maximum number of words that are split or joined. Bounds the cost of a query. */
export const MAX_WORDS = 8;
const MAX_COMPOUND_LENGTH = 40;
const MAX_PARTS = 4;
const MAX_JOINED = 3;
const MIN_HALF_LENGTH = 3;
const MAX_CUTS = 2;
const DIGIT = /^\p{N}/u;

/** Distinct words that a name must contain in any order; the last one may be a prefix. */
export type Tokenisation = readonly string[];

/** Whether the catalogue contains the word; with `asPrefix`, also as a prefix. */
export type HasWord = (word: string, asPrefix: boolean) => boolean;

/**
 * Tokenisations of a query: as typed, with missing spaces inserted, and with extra spaces removed.
 * Empty for too many words.
 * @param shortestJoined minimum length of a word to be joined with its neighbour
 */
export function tokeniseQuery(words: readonly string[], has: HasWord, shortestJoined = 1): readonly Tokenisation[] {
  if (words.length === 0 || words.length > MAX_WORDS) return [];
  const last = words.length - 1;
  const split = words.flatMap((word, at) => splitWord(word, at === last, has) ?? [word]);
  const atDigits = words.flatMap((word) => splitAtDigits(word));
  const halves = words.flatMap((word, at) =>
    splitOnce(word, at === last, has).map((parts) => [...words.slice(0, at), ...parts, ...words.slice(at + 1)]),
  );
  const readings: Tokenisation[] = [words, split, atDigits, ...halves, ...joinNeighbours(words, shortestJoined)];
  const distinct = new Map(readings.map((reading) => [reading.join(' '), [...new Set(reading)]]));
  return [...distinct.values()].filter((reading) => reading.length <= MAX_WORDS);
}

/** Tokenisations with two or three neighbours joined. */
function joinNeighbours(words: readonly string[], shortest: number): readonly Tokenisation[] {
  const readings: Tokenisation[] = [];
  for (let count = 2; count <= Math.min(MAX_JOINED, words.length); count += 1) {
    for (let at = 0; at + count <= words.length; at += 1) {
      const parts = words.slice(at, at + count);
      if (parts.some((part) => part.length < shortest)) continue;
      readings.push([...words.slice(0, at), parts.join(''), ...words.slice(at + count)]);
    }
  }
  return readings;
}

/** Splits a word into the fewest catalogue words; undefined if impossible. */
function splitWord(word: string, isLast: boolean, has: HasWord): Tokenisation | undefined {
  if (word.length > MAX_COMPOUND_LENGTH) return undefined;
  // Fewest parts up to each position of the word.
  const best: (Tokenisation | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    for (let start = 0; start < end; start += 1) {
      const before = best[start];
      if (before === undefined || before.length >= (best[end]?.length ?? MAX_PARTS + 1) - 1) continue;
      const part = word.slice(start, end);
      // Single letters would split nearly every word, and 1799 is not 17 and 99.
      if (part.length === 1 && !DIGIT.test(part)) continue;
      if (start > 0 && DIGIT.test(word[start - 1] ?? '') && DIGIT.test(part[0] ?? '')) continue;
      if (has(part, isLast && end === word.length)) best[end] = [...before, part];
    }
  }
  const parts = best[word.length];
  return parts !== undefined && parts.length > 1 ? parts : undefined;
}

/** Splits of a word of which one part is in the catalogue; the other may be misspelled. */
function splitOnce(word: string, isLast: boolean, has: HasWord): readonly Tokenisation[] {
  if (word.length > MAX_COMPOUND_LENGTH || has(word, isLast)) return [];
  const cuts: Tokenisation[] = [];
  for (let at = MIN_HALF_LENGTH; at <= word.length - MIN_HALF_LENGTH; at += 1) {
    const [start, end] = [word.slice(0, at), word.slice(at)];
    if (has(start, false) || has(end, isLast)) cuts.push([start, end]);
  }
  // Longest known part first.
  const measureKnownLength = ([start = '', end = '']: Tokenisation) => (has(start, false) ? start.length : end.length);
  return cuts.toSorted((a, b) => measureKnownLength(b) - measureKnownLength(a)).slice(0, MAX_CUTS);
}
