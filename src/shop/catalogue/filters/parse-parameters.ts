/** Reads the values of URL parameters. Only loaders call it, so none of this is in the browser's scripts. */
import { parseAmount } from '#src/shop/parse-amount.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_NAMES = 50;
const MAX_VALUES = 100;
const MAX_CENTS = 999_999_999n;

const SLUG_OR_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const listDistinct = (texts: readonly string[], pattern: RegExp, most: number): readonly string[] =>
  [...new Set(texts)].filter((item) => item.length <= 120 && pattern.test(item)).slice(0, most);

export const parseNames = (texts: readonly string[]): readonly string[] => listDistinct(texts, SLUG_OR_ID, MAX_NAMES);

/** Also of several ids with commas between them. */
export const parseIds = (texts: readonly string[]): readonly string[] =>
  listDistinct(
    texts.flatMap((joined) => joined.split(',')),
    ID,
    MAX_VALUES,
  );

/** The first, also as typed in the form without scripts. */
export function parseDollars([written = '']: readonly string[]): number | null {
  const parsed = parseAmount(written, { decimals: 2, unit: '$' });
  return parsed.ok && parsed.units <= MAX_CENTS ? Number(parsed.units) / 100 : null;
}

/** Searchable text: trimmed, bounded, without characters that the API refuses. */
export const cleanText = (text: string): string =>
  text.replaceAll('\u0000', '').trim().slice(0, MAX_TEXT_LENGTH).toWellFormed().trim();
