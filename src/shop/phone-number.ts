import { foldNumber } from './fold-typed.ts';

/** Longest number of E.164, without its plus sign; local numbers have fewer digits. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 5;

/**
 * Whether a text is a telephone number: digits with the usual separators, an optional plus sign, and an optional
 * extension. Used by browser and server.
 */
export function isPhoneNumber(text: string): boolean {
  const typed = foldNumber(text)
    .replace(/^tel:/i, '')
    .replace(/ *(?:ext\.?|x|#) *\d{1,6}$/i, '');
  if (!/^\+?[\d ().\-/·]+$/.test(typed)) return false;
  const digits = typed.replaceAll(/\D/g, '').length;
  return digits >= MIN_DIGITS && digits <= MAX_DIGITS;
}
