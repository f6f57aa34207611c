/**
 * Text that a spreadsheet would run as a formula, full-width forms and leading blanks included. Text
 * that starts with the apostrophe of an escaped formula counts too, so that escaping is reversible.
 */
const FORMULA = /^'*(?:\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r\n])/;
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;

/** Escapes a CSV cell. Text that looks like a formula gets a leading apostrophe. */
export function formatCsvCell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** A CSV line with its line end (RFC 4180). */
export const formatCsvLine = (cells: readonly string[]): string => `${cells.map(formatCsvCell).join(',')}\r\n`;

const NUMBER = /^-?\d+(?:\.\d+)?$/;

/**
 * As `formatCsvLine`, with numbers that may be negative.
 * @param numberColumns indexes of their columns
 */
export const formatCsvLineWithNumbers = (cells: readonly string[], numberColumns: ReadonlySet<number>): string =>
  `${cells.map((cell, at) => (numberColumns.has(at) && NUMBER.test(cell) ? cell : formatCsvCell(cell))).join(',')}\r\n`;

/** Removes the apostrophe that `formatCsvCell` puts before formulas. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
