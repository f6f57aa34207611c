import type { CreateFuzzyIndex } from '../search/word-index.ts';

/** Shorter names that differ in one letter are usually different words. */
const MIN_LENGTH = 5;
/** Names of this length may differ in two letters. */
const LONG = 9;

const sortLetters = (text: string): string => Array.from(text).toSorted().join('');
const removeDigits = (text: string): string => text.replaceAll(/\d+/g, '');
const listDigits = (text: string): string => text.replaceAll(/\D+/g, ' ').trim();

/** Whether one is probably a misspelling of the other. Both are in lower case. */
function isMisspelt(text: string, name: string, edits: number): boolean {
  if (text[0] !== name[0] || Math.max(text.length, name.length) < MIN_LENGTH) return false;
  // Other numbers are other names.
  if (listDigits(text) !== listDigits(name)) return false;
  const isTransposed = sortLetters(removeDigits(text)) === sortLetters(removeDigits(name));
  return edits <= 1 || isTransposed || Math.min(text.length, name.length) >= LONG;
}

/** Finds the name that a text was probably meant to be; null if there is none, or it is one of the names. */
export function createNearestName(
  names: readonly string[],
  openFuzzyIndex: CreateFuzzyIndex,
): (text: string) => string | null {
  const byFolded = new Map(names.map((name) => [name.toLowerCase(), name]));
  const find = openFuzzyIndex(byFolded.keys());
  return (text) => {
    const folded = text.toLowerCase();
    if (byFolded.has(folded)) return null;
    const found = [...find(folded, 2)]
      .filter(([name, edits]) => isMisspelt(folded, name, edits))
      .toSorted((a, b) => a[1] - b[1] || Number(a[0] > b[0]) - Number(a[0] < b[0]));
    return byFolded.get(found[0]?.[0] ?? '') ?? null;
  };
}
