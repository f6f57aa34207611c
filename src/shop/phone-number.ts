import { foldNumber } from './fold-typed.ts';

/** Longest number of E.164, without its plus sign; local numbers have fewer digits. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 5;

/** A typed number with usual digits, hyphens and single spaces. */
const foldPhone = (text: string): string =>
  foldNumber(text)
    .replace(/^tel:\s*/i, '')
    .replaceAll(/[\p{Zs}\t]+/gu, ' ');

/**
 * Whether a text is a telephone number: digits with the usual separators, an optional plus sign, and an optional
 * extension. Used by browser and server.
 */
export function isPhoneNumber(text: string): boolean {
  const typed = foldPhone(text).replace(/ *(?:ext\.?|x|#) *\d{1,6}$/i, '');
  if (!/^\+?[\d ().\-/·]+$/.test(typed)) return false;
  const digits = typed.replaceAll(/\D/g, '').length;
  return digits >= MIN_DIGITS && digits <= MAX_DIGITS;
}

/** A telephone number in the one form that is stored; another text as it is. */
export const normalisePhone = (text: string): string => (isPhoneNumber(text) ? foldPhone(text) : text);
