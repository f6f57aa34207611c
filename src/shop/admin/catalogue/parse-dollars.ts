import { parseAmount } from '#src/shop/parse-amount.ts';

const MAX_CENTS = 999_999_999n;

export type ReadNumber =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly problem: string };

/** Reads dollars as staff type them, at most 9,999,999.99. @param otherwise what to enter instead of other text */
export const readDollars = (text: string, otherwise: string): ReadNumber => readHundredths(text, '$', otherwise);

/** Reads a percentage with at most two decimals. */
export const readPercent = (text: string, otherwise: string): ReadNumber => readHundredths(text, '%', otherwise);

function readHundredths(text: string, unit: '$' | '%', otherwise: string): ReadNumber {
  const parsed = parseAmount(text, { decimals: 2, isSigned: true, unit });
  if (!parsed.ok) return { ok: false, problem: parsed.advice ?? otherwise };
  if (parsed.units > MAX_CENTS || parsed.units < -MAX_CENTS) return { ok: false, problem: otherwise };
  return { ok: true, value: Number(parsed.units) / 100 };
}

/** Dollars as `readDollars` reads them; null for anything else. */
export function parseDollars(text: string): number | null {
  const read = readDollars(text, '');
  return read.ok ? read.value : null;
}

/** Dollars for a text field: '1299.00'. */
export const formatDollarInput = (dollars: number): string => dollars.toFixed(2);
