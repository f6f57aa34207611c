/** Reads the lines of a product CSV whose cells have a known column. */
import { unescapeFormula } from '#src/platform/csv/csv-line.ts';
import { CsvFileError, detectEncoding, readCsv } from '#src/platform/csv/read-csv.ts';
import type { ByteSource } from '#src/platform/csv/read-csv.ts';
import type { TimeSlice } from '#src/platform/process/time-slice.ts';
import type { ReadContext } from './cell-reader.ts';
import { readHead } from './columns.ts';
import type { Field, Row } from './columns.ts';
import { SeparatorEvidence } from './decimal-separator.ts';
import type { Progress } from './store.ts';

/** Lines of data in a file. */
const MAX_LINES = 150_000;
const CSV_LIMITS = { maxRecordLength: 500_000, maxColumns: 500 };
const LINES_PER_PROGRESS = 2_000;

export interface ReadFile extends Pick<ReadContext, 'fields' | 'decimalSeparator'> {
  readonly rows: readonly Row[];
}

interface ReadRequest extends Pick<ReadContext, 'report'> {
  /** Whether costs are read. Otherwise their column is ignored. */
  readonly hasCosts: boolean;
  readonly slice: Pick<TimeSlice, 'pause'>;
  readonly onProgress: (progress: Progress) => Promise<void>;
}

const UNREADABLE: ReadFile = { rows: [], fields: new Set(), decimalSeparator: null };

/** The lines of the file; none if it is unreadable, which is reported. */
export async function readRows(source: ByteSource, request: ReadRequest): Promise<ReadFile> {
  try {
    return await readLines(source, request);
  } catch (error) {
    if (!(error instanceof CsvFileError)) throw error;
    request.report({ severity: 'error', line: error.line, column: null, message: error.message });
    return UNREADABLE;
  }
}

async function readLines(source: ByteSource, { report, slice, hasCosts, onProgress }: ReadRequest): Promise<ReadFile> {
  const rows: Row[] = [];
  let fields: readonly (Field | null)[] | null = null;
  const evidence = new SeparatorEvidence();
  await onProgress({ phase: 'reading', done: 0, total: 0 });
  const encoding = await detectEncoding(source);
  if (encoding === 'windows-1252') {
    const message = 'The file is not UTF-8, so it was read as Windows-1252. Check accents and symbols';
    report({ severity: 'notice', line: 1, column: null, message });
  }
  for await (const { line, cells } of readCsv(source, encoding, CSV_LIMITS)) {
    if (fields === null) {
      const head = readHead(line, cells, hasCosts ? [] : ['cost']);
      for (const problem of head.problems) report(problem);
      fields = head.fields;
      // Without the columns, every line would be a problem.
      if (head.problems.some(({ severity }) => severity === 'error')) return UNREADABLE;
      continue;
    }
    const row = toRow(line, cells, fields);
    if (row !== null) {
      rows.push(row);
      evidence.add(row);
    }
    if (rows.length > MAX_LINES) throw new CsvFileError(line, `A file may have ${MAX_LINES} lines. Split it`);
    if (rows.length % LINES_PER_PROGRESS === 0) {
      await onProgress({ phase: 'reading', done: rows.length, total: 0 });
    }
    await slice.pause();
  }
  if (rows.length === 0) throw new CsvFileError(1, 'The file has no products');
  return { rows, fields: new Set(fields?.filter((field) => field !== null)), decimalSeparator: evidence.separator };
}

/** The filled cells of known columns; null for a line without any. */
function toRow(line: number, cells: readonly string[], fields: readonly (Field | null)[]): Row | null {
  const known: Partial<Record<Field, string>> = {};
  let isEmpty = true;
  for (const [at, cell] of cells.entries()) {
    const field = fields[at];
    if (field === undefined || field === null || cell === '') continue;
    const text = unescapeFormula(cell).trim();
    if (text === '') continue;
    known[field] = text;
    isEmpty = false;
  }
  return isEmpty ? null : { line, cells: known };
}
