/** Reads CSV files of unknown encoding and delimiter in pieces, without blocking the process. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';

export interface CsvLine {
  /** Line of the file on which the record starts; the first is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Why a file cannot be read on: what is wrong, and on which line. */
export class CsvFileError extends Error {
  override readonly name = 'CsvFileError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export type CsvEncoding = 'utf-8' | 'utf-16le' | 'windows-1252';

export interface CsvOptions {
  /** Maximum characters of one record. */
  readonly maxRecordLength: number;
  readonly maxColumns: number;
}

/** The bytes of a file in pieces. Called once for each pass. */
export type ByteSource = () => AsyncIterable<Uint8Array>;

/** Characters parsed at once: a few milliseconds of work. */
const PIECE_LENGTH = 8_192;
const DELIMITERS = [',', ';', '\t'] as const;
/** Enough for the names of all columns. */
const HEAD_LENGTH = 16_384;

/** Detects the encoding: by a byte order mark, else UTF-8 if the whole file is, else Windows-1252. */
export async function detectEncoding(source: ByteSource): Promise<CsvEncoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const piece of source()) {
      if (isFirst && piece[0] === 0xff && piece[1] === 0xfe) return 'utf-16le';
      if (isFirst && piece[0] === 0x50 && piece[1] === 0x4b && piece[2] === 0x03) {
        throw new CsvFileError(1, 'This is a workbook, not a CSV file. Save it as CSV UTF-8 and upload that file');
      }
      isFirst = false;
      decoder.decode(piece, { stream: true });
      await nextTurn();
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

/** A first line that names the delimiter, as spreadsheets understand it: `sep=;`. */
const DELIMITER_LINE = /^"?sep=([^"\w\r\n])"?[\t ,;]*(?:\r\n|\r|\n|$)/i;

/** The delimiter that the first line names, else the one that occurs most often in it, outside of quotes. */
export function detectDelimiter(head: string): string {
  const [, named] = DELIMITER_LINE.exec(head) ?? [];
  if (named !== undefined) return named;
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const count = (delimiter: string): number => counts.get(delimiter) ?? 0;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
}

async function* decode(source: ByteSource, encoding: CsvEncoding): AsyncGenerator<string> {
  // Removes a byte order mark.
  const decoder = new TextDecoder(encoding);
  for await (const piece of source()) yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}

/** Cuts text into pieces, the first long enough for `detectDelimiter`. */
async function* cut(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let head: string | null = '';
  for await (const text of texts) {
    if (head !== null) {
      head += text;
      if (head.length < HEAD_LENGTH) continue;
    }
    yield* cutText(head ?? text);
    head = null;
  }
  if (head !== null) yield head;
}

function* cutText(text: string): Generator<string> {
  yield text.slice(0, HEAD_LENGTH);
  for (let at = HEAD_LENGTH; at < text.length; at += PIECE_LENGTH) yield text.slice(at, at + PIECE_LENGTH);
}

const TOO_LONG = 'The line is too long. A quotation mark may be missing';
const MESSAGES: Readonly<Record<string, string>> = {
  CSV_MAX_RECORD_SIZE: TOO_LONG,
  CSV_QUOTE_NOT_CLOSED: 'A cell starts with a quotation mark and has none at its end',
  CSV_INVALID_CLOSING_QUOTE: 'A quotation mark is not followed by a delimiter. Double the quotation marks of a cell',
  INVALID_OPENING_QUOTE: 'A quotation mark is inside a cell without quotation marks around it',
};

/** Refuses a line that is longer than a record may be, before its cells are split. */
class LineLimit {
  readonly #maximum: number;
  #line = 1;
  #length = 0;
  #endsWithReturn = false;

  constructor(maximum: number) {
    this.#maximum = maximum;
  }

  /** @throws CsvFileError */
  check(piece: string): void {
    let start = 0;
    for (const { index, 0: found } of piece.matchAll(/\r\n|\r|\n/g)) {
      this.#add(index - start);
      // A CRLF may be split between two pieces.
      const isRest = index === 0 && found === '\n' && this.#endsWithReturn;
      if (!isRest) this.#line += 1;
      this.#length = 0;
      start = index + found.length;
    }
    this.#add(piece.length - start);
    this.#endsWithReturn = piece.endsWith('\r');
  }

  #add(length: number): void {
    this.#length += length;
    if (this.#length > this.#maximum) throw new CsvFileError(this.#line, TOO_LONG);
  }
}

/** Counts lines as editors do: the parser counts a CRLF within quotes twice. */
class LineCounter {
  #counted = 0;

  /** Line of the file for a line number of the parser. */
  toLine(parsedLine: number): number {
    return parsedLine - this.#counted;
  }

  /** Where the record that ended on this line of the parser started. */
  findFirstLine(parsedLine: number, cells: readonly string[]): number {
    let breaks = 0;
    for (const cell of cells) {
      if (!cell.includes('\n') && !cell.includes('\r')) continue;
      breaks += cell.match(/\r\n|\r|\n/g)?.length ?? 0;
      this.#counted += cell.match(/\r\n/g)?.length ?? 0;
    }
    return this.toLine(parsedLine) - breaks;
  }
}

/**
 * Reads the records of a file without its blank lines and a line that names the delimiter.
 * @throws CsvFileError where the file cannot be read on
 */
export async function* readCsv(
  source: ByteSource,
  encoding: CsvEncoding,
  { maxRecordLength, maxColumns }: CsvOptions,
): AsyncGenerator<CsvLine> {
  let parser: ReturnType<typeof parse> | null = null;
  let failure: Error | null = null;
  const counter = new LineCounter();
  const limit = new LineLimit(maxRecordLength);
  function* drain(): Generator<CsvLine> {
    for (;;) {
      const read: unknown = parser?.read() ?? null;
      if (read === null) break;
      yield toLine(read, counter, maxColumns);
    }
    if (failure !== null) throw toFileError(failure, counter);
  }
  for await (const piece of cut(decode(source, encoding))) {
    if (parser === null) {
      const delimiter = detectDelimiter(piece);
      parser = parse({
        delimiter,
        // The line that names the delimiter is no record.
        from_line: DELIMITER_LINE.test(piece) ? 2 : 1,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: true,
        skip_empty_lines: true,
        info: true,
        max_record_size: maxRecordLength,
      });
      parser.on('error', (error) => (failure ??= error));
    }
    limit.check(piece);
    parser.write(piece);
    yield* drain();
    await nextTurn();
    yield* drain();
  }
  if (parser === null) return;
  parser.end();
  await nextTurn();
  yield* drain();
  // The end is processed in a later turn.
  while (!parser.readableEnded && !parser.errored) {
    await nextTurn();
    yield* drain();
  }
  yield* drain();
}

function toLine(read: unknown, counter: LineCounter, maxColumns: number): CsvLine {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of the option `info`
  const { record, info } = read as { record: string[]; info: { lines: number } };
  const line = counter.findFirstLine(info.lines, record);
  if (record.length > maxColumns) {
    throw new CsvFileError(line, `The line has ${record.length} cells. A file may have ${maxColumns} columns`);
  }
  const damaged = record.findIndex((cell) => cell.includes('\u0000') || !cell.isWellFormed());
  if (damaged >= 0) throw new CsvFileError(line, `Cell ${damaged + 1} of the line has characters that are not text`);
  return { line, cells: record };
}

function toFileError(error: Error, counter: LineCounter): Error {
  if (!(error instanceof CsvError)) return error;
  const line: unknown = error['lines'];
  return new CsvFileError(typeof line === 'number' ? counter.toLine(line) : 1, MESSAGES[error.code] ?? error.message);
}
