import type { CatalogueProduct } from '../build-catalogue-data.ts';
import type { ProductIndex } from '../product-index.ts';
import { TermMatcher } from '../filters/term-matches.ts';
import type { TermMatches, TermMatchOptions } from '../filters/term-matches.ts';
import { MAX_WORDS } from '../filters/tokenise-query.ts';
import { isLetters, splitWords } from './search-words.ts';
import type { WordIndex } from './word-index.ts';

const WORD_SCORE = 1_000;
const EDIT_COST = 200;
/** Maximum edits of a near word, and at most half of its letters. */
const MAX_NEAR_EDITS = 3;
const MAX_NEAR_LENGTH = 24;

const getMaxNearEdits = (word: string): number =>
  isLetters(word) && word.length <= MAX_NEAR_LENGTH ? Math.min(MAX_NEAR_EDITS, Math.floor(word.length / 2)) : 0;

const NEAR: TermMatchOptions = { maxEdits: getMaxNearEdits, minJoinedLength: 1, maxWordsToJoin: 3 };

/**
 * Scores each product by its words near the text: higher for each word, lower for each edit; 0
 * without any. Allows more typos than a search.
 */
function scoreNearness(index: WordIndex, text: string): Uint16Array {
  const words = splitWords(text).slice(0, MAX_WORDS);
  const query = new TermMatcher(index, NEAR);
  const scores = new Uint16Array(index.productCount);
  for (const reading of query.listTokenisations(words)) {
    const sums = new Uint16Array(index.productCount);
    const slots = query.matchTerms(reading);
    // Joined or split words must be in the catalogue.
    if (slots.some((slot, at) => slot === null && !words.includes(reading[at] ?? ''))) continue;
    for (const slot of slots) if (slot !== null) addScores(index, slot, sums);
    // A tokenisation with more words is not worth more than one with fewer.
    for (const [position, sum] of sums.entries()) {
      const score = Math.round(sum / reading.length);
      if (score > (scores[position] ?? 0)) scores[position] = score;
    }
  }
  return scores;
}

/** Adds the score of each product's best word to its sum. */
function addScores(
  { productCount, starts, positions }: WordIndex,
  { numbers, edits }: TermMatches,
  sums: Uint16Array,
): void {
  const best = new Uint16Array(productCount);
  for (const number of numbers) {
    const score = WORD_SCORE - (edits[number] ?? 0) * EDIT_COST;
    for (let at = starts[number] ?? 0; at < (starts[number + 1] ?? 0); at += 1) {
      const position = positions[at] ?? 0;
      const before = best[position] ?? 0;
      if (score <= before) continue;
      best[position] = score;
      sums[position] = (sums[position] ?? 0) + score - before;
    }
  }
}

/** Products with names nearest to a text, best first; then by sales. */
export function findNearestProducts(
  { products, wordIndex }: ProductIndex,
  text: string,
  limit: number,
): readonly CatalogueProduct[] {
  const scores = scoreNearness(wordIndex(), text);
  const nearest: number[] = [];
  const isBefore = (a: number, b: number): boolean => {
    const byScore = (scores[a] ?? 0) - (scores[b] ?? 0);
    return byScore === 0 ? (products[a]?.soldUnits ?? 0) > (products[b]?.soldUnits ?? 0) : byScore > 0;
  };
  for (const [position, score] of scores.entries()) {
    if (score === 0) continue;
    const place = nearest.findIndex((other) => isBefore(position, other));
    if (place === -1 && nearest.length >= limit) continue;
    nearest.splice(place === -1 ? nearest.length : place, 0, position);
    if (nearest.length > limit) nearest.pop();
  }
  return nearest.flatMap((position) => products[position] ?? []);
}
