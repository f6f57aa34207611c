import { readQuery } from './read-query.ts';
import type { Reading } from './read-query.ts';
import { isLetters } from '../search/search-words.ts';
import { wordsWithPrefix } from '../search/word-index.ts';
import type { WordIndex } from '../search/word-index.ts';

/** More edits than any match takes. */
export const UNMATCHED = 255;
/** Typos are looked for where fewer products match without. */
export const FEW = 3;

/** The words of the catalogue that one word of a query may mean. */
export interface Slot {
  /** Numbers of those words. */
  readonly numbers: readonly number[];
  /** The edits each word of the catalogue takes, by its number; `UNMATCHED` for a word that is not meant. */
  readonly edits: Uint8Array;
  /** How often products have one of them. */
  readonly occurrences: number;
}

export interface SlotOptions {
  /** How many edits a word may take; null where none may take any. */
  readonly maxEdits: ((word: string) => number) | null;
  /** Letters that a word must have to be written as one with its neighbour. */
  readonly shortestJoined: number;
  /** Words are written as one in queries of at most so many. */
  readonly maxWordsToJoin: number;
}

/** Looks up the words of one query in the catalogue, each once. */
export class QuerySlots {
  readonly #index: WordIndex;
  readonly #options: SlotOptions;
  readonly #known = new Map<string, Slot | null>();

  constructor(index: WordIndex, options: SlotOptions) {
    this.#index = index;
    this.#options = options;
  }

  readings(words: readonly string[]): readonly Reading[] {
    const { shortestJoined, maxWordsToJoin } = this.#options;
    const { numbers } = this.#index;
    const has = (word: string, asPrefix: boolean) => numbers.has(word) || (asPrefix && this.#hasPrefix(word));
    return readQuery(words, has, words.length > maxWordsToJoin ? Infinity : shortestJoined);
  }

  /** Null for each word that means none of the catalogue. */
  slotsOf(reading: Reading): readonly (Slot | null)[] {
    return reading.map((word, at) => this.#slotOf(word, at === reading.length - 1));
  }

  #slotOf(word: string, isLast: boolean): Slot | null {
    const key = `${word} ${isLast}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#look(word, isLast);
    this.#known.set(key, made);
    return made;
  }

  #look(word: string, isLast: boolean): Slot | null {
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
    const { first, end } = isPrefix ? wordsWithPrefix(this.#index, word) : { first: 0, end: 0 };
    for (let number = first; number < end; number += 1) add(number, 0);
    add(numbers.get(word), 0);
    const most = this.#options.maxEdits?.(word) ?? 0;
    if (most > 0 && occurrences < FEW) {
      for (const swapped of withNeighboursSwapped(word)) add(numbers.get(swapped), 1);
      for (const [near, taken] of fuzzy(word, most)) add(numbers.get(near), taken);
    }
    return meant.length === 0 ? null : { numbers: meant, edits, occurrences };
  }

  #hasPrefix(word: string): boolean {
    const { first, end } = wordsWithPrefix(this.#index, word);
    return end > first;
  }
}

function withNeighboursSwapped(word: string): readonly string[] {
  const places = Array.from({ length: word.length - 1 }, (_, at) => at);
  return places.map((at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`);
}
