/**
 * A typed or pasted code or address as it was meant: without invisible characters and outer blanks, and with wide
 * letters and digits as the usual ones (NFKC).
 */
export const foldTyped = (text: string): string =>
  text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .trim();

const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code));

/** The value of a decimal digit of any script: its distance from the zero of its ten. */
function readDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && isDigit(code - value - 1)) value += 1;
  return String(value);
}

/** A typed number of an address or telephone, with the digits 0 to 9 and hyphens in place of those of other scripts. */
export const foldNumber = (text: string): string =>
  foldTyped(text)
    .replaceAll(/[\p{Pd}\u2212\u30FC]/gu, '-')
    .replaceAll(/\p{Nd}/gu, readDigit);
