import { readQuery } from './read-query.ts';
import type { Reading } from './read-query.ts';
import { isLetters } from './search-words.ts';
import { wordsWithPrefix } from './word-index.ts';
import type { WordIndex } from './word-index.ts';

/** More edits than any match takes. */
export const UNMATCHED = 255;

/** For each word of a query, the products that have it: worked out once for each word. */
export class QueryColumns {
  readonly #index: WordIndex;
  readonly #mayMiss: (word: string) => number;
  readonly #known = new Map<string, Uint8Array | null>();

  /** @param mayMiss how many edits a word may take */
  constructor(index: WordIndex, mayMiss: (word: string) => number) {
    this.#index = index;
    this.#mayMiss = mayMiss;
  }

  readings(words: readonly string[]): readonly Reading[] {
    const { numbers } = this.#index;
    return readQuery(words, (word, asPrefix) => numbers.has(word) || (asPrefix && this.#hasPrefix(word)));
  }

  /** The edits that the best word of each product takes, by its position; null where no product has one. */
  editsOf(word: string, isLast: boolean): Uint8Array | null {
    const key = `${word} ${isLast}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#column(this.#candidates(word, isLast));
    this.#known.set(key, made);
    return made;
  }

  #hasPrefix(word: string): boolean {
    const { first, end } = wordsWithPrefix(this.#index, word);
    return end > first;
  }

  /** The words of the catalogue that this one may mean, by their number, and the edits each takes. */
  #candidates(word: string, isLast: boolean): ReadonlyMap<number, number> {
    const { numbers, fuzzy } = this.#index;
    const candidates = new Map<number, number>();
    const add = (number: number | undefined, edits: number) => {
      if (number !== undefined && edits < (candidates.get(number) ?? UNMATCHED)) candidates.set(number, edits);
    };
    // 17 is not the beginning of 1700 unless somebody is typing on.
    const isPrefix = isLast || (word.length > 1 && isLetters(word));
    const { first, end } = isPrefix ? wordsWithPrefix(this.#index, word) : { first: 0, end: 0 };
    for (let number = first; number < end; number += 1) add(number, 0);
    add(numbers.get(word), 0);
    const most = this.#mayMiss(word);
    if (most === 0) return candidates;
    for (const swapped of withNeighboursSwapped(word)) add(numbers.get(swapped), 1);
    for (const [near, edits] of fuzzy(word, most)) add(numbers.get(near), edits);
    return candidates;
  }

  #column(candidates: ReadonlyMap<number, number>): Uint8Array | null {
    if (candidates.size === 0) return null;
    const { productCount, starts, positions } = this.#index;
    const column = new Uint8Array(productCount).fill(UNMATCHED);
    for (const [number, edits] of candidates) {
      const end = starts[number + 1] ?? 0;
      for (let at = starts[number] ?? 0; at < end; at += 1) {
        const position = positions[at] ?? 0;
        if (edits < (column[position] ?? 0)) column[position] = edits;
      }
    }
    return column;
  }
}

function withNeighboursSwapped(word: string): readonly string[] {
  const places = Array.from({ length: word.length - 1 }, (_, at) => at);
  return places.map((at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`);
}
