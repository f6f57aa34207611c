import { tokeniseQuery } from './tokenise-query.ts';
import type { Tokenisation } from './tokenise-query.ts';
import { isLetters } from '../search/search-words.ts';
import { findPrefixRange } from '../search/word-index.ts';
import type { WordIndex } from '../search/word-index.ts';

/** Exceeds the edits of any match. */
export const UNMATCHED = 255;
/** Typos are considered if fewer products match exactly. */
export const MIN_EXACT_MATCHES = 3;

/** Catalogue words that match one query word. */
export interface TermMatches {
  /** Numbers of the words. */
  readonly numbers: readonly number[];
  /** Edits of each catalogue word, by number; `UNMATCHED` for other words. */
  readonly edits: Uint8Array;
  /** Number of occurrences of these words in products. */
  readonly occurrences: number;
}

export interface TermMatchOptions {
  /** Maximum edits of a word; null to allow none. */
  readonly maxEdits: ((word: string) => number) | null;
  /** Minimum length of a word to be joined with its neighbour. */
  readonly minJoinedLength: number;
  /** Maximum number of query words for which neighbours are joined. */
  readonly maxWordsToJoin: number;
}

/** Looks up the words of a query in the catalogue, with a cache. */
export class TermMatcher {
  readonly #index: WordIndex;
  readonly #options: TermMatchOptions;
  readonly #known = new Map<string, TermMatches | null>();

  constructor(index: WordIndex, options: TermMatchOptions) {
    this.#index = index;
    this.#options = options;
  }

  listTokenisations(words: readonly string[]): readonly Tokenisation[] {
    const { minJoinedLength, maxWordsToJoin } = this.#options;
    const { numbers } = this.#index;
    const has = (word: string, asPrefix: boolean) => numbers.has(word) || (asPrefix && this.#hasPrefix(word));
    return tokeniseQuery(words, has, words.length > maxWordsToJoin ? Infinity : minJoinedLength);
  }

  /** Null for each word without a match. */
  matchTerms(reading: Tokenisation): readonly (TermMatches | null)[] {
    return reading.map((word, at) => this.#matchTerm(word, at === reading.length - 1));
  }

  #matchTerm(word: string, isLast: boolean): TermMatches | null {
    const key = `${word} ${isLast}`;
    const cached = this.#known.get(key);
    if (cached !== undefined) return cached;
    const matches = this.#lookUp(word, isLast);
    this.#known.set(key, matches);
    return matches;
  }

  #lookUp(word: string, isLast: boolean): TermMatches | null {
    const { words, numbers, starts, fuzzy } = this.#index;
    const edits = new Uint8Array(words.length).fill(UNMATCHED);
    const numbersFound: number[] = [];
    let occurrences = 0;
    const add = (number: number | undefined, editCount: number) => {
      if (number === undefined) return;
      const before = edits[number] ?? 0;
      if (before === UNMATCHED) {
        numbersFound.push(number);
        occurrences += (starts[number + 1] ?? 0) - (starts[number] ?? 0);
      }
      if (editCount < before) edits[number] = editCount;
    };
    // 17 does not match the start of 1700, except for the word being typed.
    const isPrefix = isLast || (word.length > 1 && isLetters(word));
    const { first, end } = isPrefix ? findPrefixRange(this.#index, word) : { first: 0, end: 0 };
    for (let number = first; number < end; number += 1) add(number, 0);
    add(numbers.get(word), 0);
    const most = this.#options.maxEdits?.(word) ?? 0;
    if (most > 0 && occurrences < MIN_EXACT_MATCHES) {
      for (const swapped of listTranspositions(word)) add(numbers.get(swapped), 1);
      for (const [near, wordEdits] of fuzzy(word, most)) add(numbers.get(near), wordEdits);
    }
    return numbersFound.length === 0 ? null : { numbers: numbersFound, edits, occurrences };
  }

  #hasPrefix(word: string): boolean {
    const { first, end } = findPrefixRange(this.#index, word);
    return end > first;
  }
}

function listTranspositions(word: string): readonly string[] {
  const places = Array.from({ length: word.length - 1 }, (_, at) => at);
  return places.map((at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`);
}
