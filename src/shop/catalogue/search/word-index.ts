import { isLetters, splitWords } from './search-words.ts';

/** Creates a fuzzy index that finds words within an edit distance of a text. */
export type CreateFuzzyIndex = (
  words: Iterable<string>,
) => (text: string, maxEdits: number) => Iterable<readonly [word: string, edits: number]>;

/** Words of all product names, with the products that contain each. */
export interface WordIndex {
  readonly productCount: number;
  /** Sorted by code unit. */
  readonly words: readonly string[];
  /** Index of each word in `words`. */
  readonly numbers: ReadonlyMap<string, number>;
  /**
   * Positions of the products that contain a word: `positions` from `starts[number]` to
   * `starts[number + 1]`.
   */
  readonly starts: Uint32Array;
  readonly positions: Uint32Array;
  /**
   * Word numbers of each product: `nameWords` from `nameStarts[position]` to `nameStarts[position +
   * 1]`.
   */
  readonly nameWords: Uint32Array;
  readonly nameStarts: Uint32Array;
  /** Index of the words with letters only. */
  readonly fuzzy: ReturnType<CreateFuzzyIndex>;
}

const MIN_FUZZY_LENGTH = 3;

/** Indexes names by words; takes a few tenths of a second for 100,000 names. */
export function buildWordIndex(names: Iterable<string>, openFuzzyWords: CreateFuzzyIndex): WordIndex {
  const { wordOrder, counts, wordAt, nameEnds } = readWords(names);
  // Default string order equals that of `<`, which prefix look-ups rely on.
  const words = [...wordOrder.keys()].toSorted();
  const numbers = new Map(words.map((word, number) => [word, number]));
  const starts = new Uint32Array(words.length + 1);
  const next = new Uint32Array(words.length);
  const numberOf = new Uint32Array(words.length);
  for (const [number, word] of words.entries()) {
    const order = wordOrder.get(word) ?? 0;
    numberOf[order] = number;
    next[order] = starts[number] ?? 0;
    starts[number + 1] = (starts[number] ?? 0) + (counts[order] ?? 0);
  }
  const positions = new Uint32Array(wordAt.length);
  for (let at = 0, position = 0; at < wordAt.length; at += 1) {
    while (at >= (nameEnds[position] ?? Infinity)) position += 1;
    const order = wordAt[at] ?? 0;
    const place = next[order] ?? 0;
    positions[place] = position;
    next[order] = place + 1;
  }
  const fuzzy = openFuzzyWords(words.filter((word) => word.length >= MIN_FUZZY_LENGTH && isLetters(word)));
  const nameWords = Uint32Array.from(wordAt, (order) => numberOf[order] ?? 0);
  const nameStarts = new Uint32Array(nameEnds.length + 1);
  nameStarts.set(nameEnds, 1);
  return { productCount: nameEnds.length, words, numbers, starts, positions, nameWords, nameStarts, fuzzy };
}

/** Distinct words of each name, concatenated, as indexes in order of first occurrence. */
function readWords(names: Iterable<string>) {
  const wordOrder = new Map<string, number>();
  const counts: number[] = [];
  const lastName: number[] = [];
  const wordAt: number[] = [];
  const nameEnds: number[] = [];
  for (const name of names) {
    for (const word of splitWords(name)) {
      const order = wordOrder.get(word) ?? wordOrder.size;
      wordOrder.set(word, order);
      if (lastName[order] === nameEnds.length) continue;
      lastName[order] = nameEnds.length;
      counts[order] = (counts[order] ?? 0) + 1;
      wordAt.push(order);
    }
    nameEnds.push(wordAt.length);
  }
  return { wordOrder, counts, wordAt, nameEnds };
}

/** Numbers of the words with a prefix: from `first` up to but excluding `end`. */
export function findPrefixRange(
  { words }: WordIndex,
  prefix: string,
): { readonly first: number; readonly end: number } {
  const first = findLowerBound(words, (word) => word >= prefix);
  const end = findLowerBound(words, (word) => word >= prefix && !word.startsWith(prefix));
  return { first, end };
}

/** First index for which the test holds; it must hold for all following ones. */
function findLowerBound(words: readonly string[], holds: (word: string) => boolean): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(words[middle] ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}
