import { splitAtDigits } from '../search/search-words.ts';

/** More words than that are searched for as they stand only: it bounds what a query can cost. */
export const MAX_WORDS = 8;
const MAX_COMPOUND_LENGTH = 40;
const MAX_PARTS = 4;
const MAX_JOINED = 3;
const MIN_HALF_LENGTH = 3;
const MAX_CUTS = 2;
const DIGIT = /^\p{N}/u;

/** Different words that a name must all have, in any order; the last may be unfinished. */
export type Tokenisation = readonly string[];

/** Whether the catalogue has the word; with `asPrefix` also as the beginning of one. */
export type HasWord = (word: string, asPrefix: boolean) => boolean;

/**
 * The ways to read the words of a query: as written, with missing blanks put in, and with extra blanks taken out.
 * Without any where there are too many words.
 * @param shortestJoined letters that a word must have to be written as one with its neighbour
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

/** The words with two or three neighbours written as one. */
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

/** A word as the fewest words that the catalogue has, written without blanks; undefined where it is none. */
function splitWord(word: string, isLast: boolean, has: HasWord): Tokenisation | undefined {
  if (word.length > MAX_COMPOUND_LENGTH) return undefined;
  // The fewest parts up to each place of the word.
  const best: (Tokenisation | undefined)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    for (let start = 0; start < end; start += 1) {
      const before = best[start];
      if (before === undefined || before.length >= (best[end]?.length ?? MAX_PARTS + 1) - 1) continue;
      const part = word.slice(start, end);
      // A single letter would let nearly everything be split, and 1799 is not 17 and 99.
      if (part.length === 1 && !DIGIT.test(part)) continue;
      if (start > 0 && DIGIT.test(word[start - 1] ?? '') && DIGIT.test(part[0] ?? '')) continue;
      if (has(part, isLast && end === word.length)) best[end] = [...before, part];
    }
  }
  const parts = best[word.length];
  return parts !== undefined && parts.length > 1 ? parts : undefined;
}

/** A word cut in two of which the catalogue has one; the other may be misspelled. */
function splitOnce(word: string, isLast: boolean, has: HasWord): readonly Tokenisation[] {
  if (word.length > MAX_COMPOUND_LENGTH || has(word, isLast)) return [];
  const cuts: Tokenisation[] = [];
  for (let at = MIN_HALF_LENGTH; at <= word.length - MIN_HALF_LENGTH; at += 1) {
    const [start, end] = [word.slice(0, at), word.slice(at)];
    if (has(start, false) || has(end, isLast)) cuts.push([start, end]);
  }
  // The longest known part is the likeliest.
  const known = ([start = '', end = '']: Tokenisation) => (has(start, false) ? start.length : end.length);
  return cuts.toSorted((a, b) => known(b) - known(a)).slice(0, MAX_CUTS);
}
