import type { CatalogueProduct } from './build-snapshot.ts';
import type { ProductIndex } from './product-index.ts';
import { QueryColumns, UNMATCHED } from './query-columns.ts';
import { MAX_WORDS } from './read-query.ts';
import { isLetters, wordsOf } from './search-words.ts';
import type { WordIndex } from './word-index.ts';

const WORD_SCORE = 1_000;
const EDIT_COST = 200;
/** Edits in a word for being near; half of its letters at most. */
const MAX_NEAR_EDITS = 3;
const LONGEST_NEAR = 24;

const maxNearEdits = (word: string): number =>
  isLetters(word) && word.length <= LONGEST_NEAR ? Math.min(MAX_NEAR_EDITS, Math.floor(word.length / 2)) : 0;

/**
 * How well each product fits a text of which it has any word: more for each word, less for each edit; 0 where it has
 * none. More wrong letters are forgiven than in a search.
 */
function scoreNearness(index: WordIndex, text: string): Uint16Array {
  const columns = new QueryColumns(index, maxNearEdits);
  const scores = new Uint16Array(index.productCount);
  for (const reading of columns.readings(wordsOf(text).slice(0, MAX_WORDS))) {
    const own = reading.flatMap((word, at) => columns.editsOf(word, at === reading.length - 1) ?? []);
    for (let position = 0; position < scores.length; position += 1) {
      let score = 0;
      for (const column of own) {
        const edits = column[position] ?? UNMATCHED;
        if (edits !== UNMATCHED) score += WORD_SCORE - edits * EDIT_COST;
      }
      // A reading of more words is worth no more than one of fewer.
      const share = Math.round(score / reading.length);
      if (share > (scores[position] ?? 0)) scores[position] = share;
    }
  }
  return scores;
}

/** The products whose names come nearest to a text, the nearest first; of equals those that sell best. */
export function nearestProducts(
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
