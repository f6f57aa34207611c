import { tokeniseQuery } from './tokenise-query.ts';
import type { Tokenisation } from './tokenise-query.ts';
import { isLetters } from '../search/search-words.ts';
import { findPrefixRange } from '../search/word-index.ts';
import type { WordIndex } from '../search/word-index.ts';

/** More edits than any match takes. */
export const UNMATCHED = 255;
/** Typos are looked for where fewer products match without. */
export const MIN_EXACT_MATCHES = 3;

/** The words of the catalogue that one word of a query may mean. */
export interface TermMatches {
  /** Numbers of those words. */
  readonly numbers: readonly number[];
  /** The edits each word of the catalogue takes, by its number; `UNMATCHED` for a word that is not meant. */
  readonly edits: Uint8Array;
  /** How often products have one of them. */
  readonly occurrences: number;
}

export interface TermMatchOptions {
  /** How many edits a word may take; null where none may take any. */
  readonly maxEdits: ((word: string) => number) | null;
  /** Letters that a word must have to be written as one with its neighbour. */
  readonly minJoinedLength: number;
  /** Words are written as one in queries of at most so many. */
  readonly maxWordsToJoin: number;
}

/** Looks up the words of one query in the catalogue, each once. */
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

  /** Null for each word that means none of the catalogue. */
  matchTerms(reading: Tokenisation): readonly (TermMatches | null)[] {
    return reading.map((word, at) => this.#matchTerm(word, at === reading.length - 1));
  }

  #matchTerm(word: string, isLast: boolean): TermMatches | null {
    const key = `${word} ${isLast}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#lookUp(word, isLast);
    this.#known.set(key, made);
    return made;
  }

  #lookUp(word: string, isLast: boolean): TermMatches | null {
    const { words, numbers, starts, fuzzy } = this.#index;
    const edits = new Uint8Array(words.length).fill(UNMATCHED);
    const meant: number[] = [];
    let occurrences = 0;
    const add = (number: number | undefined, taken: number) => {
      if (number === undefined) return;
      const before = edits[number] ?? 0;
      if (before === UNMATCHED) {
        meant.push(number);
        occurrences += (starts[number + 1] ?? 0) - (starts[number] ?? 0);
      }
      if (taken < before) edits[number] = taken;
    };
    // 17 is not the beginning of 1700 unless somebody is typing on.
    const isPrefix = isLast || (word.length > 1 && isLetters(word));
    const { first, end } = isPrefix ? findPrefixRange(this.#index, word) : { first: 0, end: 0 };
    for (let number = first; number < end; number += 1) add(number, 0);
    add(numbers.get(word), 0);
    const most = this.#options.maxEdits?.(word) ?? 0;
    if (most > 0 && occurrences < MIN_EXACT_MATCHES) {
      for (const swapped of listTranspositions(word)) add(numbers.get(swapped), 1);
      for (const [near, taken] of fuzzy(word, most)) add(numbers.get(near), taken);
    }
    return meant.length === 0 ? null : { numbers: meant, edits, occurrences };
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
