/** What a spreadsheet would run, full-width forms, leading blanks and quotation marks included. */
const RUN = String.raw`(?=(?:"|[^\S\t\r\n])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])`;
/**
 * Where a spreadsheet may begin a cell with a formula, a tab or a line break: at the start, and after each
 * delimiter of a locale with semicolons, which ignores quotation marks within a line. After apostrophes
 * too, so that escaping is reversible.
 */
const listPlaces = (apostrophes: string): RegExp =>
  new RegExp(
    [`(?<=^|[;\\t\\r\\n])${apostrophes}${RUN}`, `(?<=^|;)${apostrophes}(?=[\\t\\r])`, `^${apostrophes}(?=\\n)`].join(
      '|',
    ),
    'g',
  );
const FORMULAS = listPlaces("'*");
const ESCAPED = listPlaces("'+");
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;

/** Escapes a CSV cell. Text that looks like a formula gets an apostrophe before it. */
export function formatCsvCell(text: string): string {
  const plain = text.replaceAll(FORMULAS, "'$&");
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

/** Removes the apostrophes that `formatCsvCell` puts before formulas. */
export const unescapeFormula = (cell: string): string =>
  cell.replaceAll(ESCAPED, (apostrophes) => apostrophes.slice(1));
