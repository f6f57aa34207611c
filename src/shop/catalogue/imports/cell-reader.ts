import { getColumn } from './columns.ts';
import type { Field, Problem, Row } from './columns.ts';
import type { DecimalSeparator } from './decimal-separator.ts';
import type { Parsed } from '../editing/parsed.ts';

export interface ReadContext {
  /** Fields that have a column. */
  readonly fields: ReadonlySet<Field>;
  /** What the numbers of the file have before their decimals; null if they do not show it. */
  readonly decimalSeparator: DecimalSeparator | null;
  /** Of the shop's own pictures. */
  readonly origin: string;
  readonly report: (problem: Problem) => void;
  /** Called with each picture of the shop that the file names. */
  readonly onPicture: (picture: NamedPicture) => void;
  /** Called with each picture of another site; `path` is its address. The line is that of its first use. */
  readonly onForeignPicture: (picture: NamedPicture) => void;
}

export interface NamedPicture {
  readonly path: string;
  readonly line: number;
  readonly column: string;
}

/** Reads cells of one line and reports those that are invalid. */
export class CellReader {
  readonly #row: Row;
  readonly #context: ReadContext;

  constructor(row: Row, context: ReadContext) {
    this.#row = row;
    this.#context = context;
  }

  get line(): number {
    return this.#row.line;
  }

  get context(): ReadContext {
    return this.#context;
  }

  /** The text of a cell; undefined if it is empty. */
  text(field: Field): string | undefined {
    return this.#row.cells[field];
  }

  report(severity: Problem['severity'], field: Field | null, message: string): void {
    this.#context.report({ severity, line: this.#row.line, column: field && getColumn(field), message });
  }

  /** Text up to a length. */
  bounded(field: Field, maximum: number): string | undefined {
    const text = this.text(field);
    if (text === undefined || text.length <= maximum) return text;
    this.report('error', field, `The text has ${text.length} characters. At most ${maximum} are allowed`);
    return undefined;
  }

  /** As `bounded`; null if the text is too long. */
  boundedOrNull(field: Field, maximum: number): string | null | undefined {
    return this.text(field) === undefined ? undefined : (this.bounded(field, maximum) ?? null);
  }

  parse<Value>(field: Field, parseCell: (text: string) => Parsed<Value>): Value | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const parsed = parseCell(text);
    if (parsed.ok) return parsed.value;
    this.report('error', field, parsed.reason);
    return undefined;
  }
}
