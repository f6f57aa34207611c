/** What a spreadsheet would take for a formula, in the letters of any keyboard, also behind blanks. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;

/** A cell that says what was written and never computes; what looks like a formula stands behind an apostrophe. */
export function formatCsvCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** One line with its end, after RFC 4180. */
export const formatCsvLine = (cells: readonly string[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;
