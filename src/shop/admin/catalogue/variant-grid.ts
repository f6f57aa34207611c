/** Cells of the grid of variants: what a paste and a fill change. */
import type { FormVariant, ProductForm } from './product-form.ts';
import { NEW_VARIANT } from './product-form.ts';

export type VariantColumn = 'price' | 'sku' | 'gtin' | 'weight';
/** Columns that are no part of the product: documents of their own, in its form. */
export const extraColumns = ['stock', 'cost'] as const;
export type ExtraColumn = (typeof extraColumns)[number];
export type GridColumn = VariantColumn | ExtraColumn;

export const isExtraColumn = (column: GridColumn): column is ExtraColumn => column === 'stock' || column === 'cost';

/** The new text of one cell. */
export interface CellEdit<Column = VariantColumn> {
  /** Of the variant. */
  readonly key: string;
  readonly column: Column;
  readonly text: string;
}

/** A field whose quotation mark is the first character ends at the next single one, as spreadsheets copy it. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/y;

/** Rows of cells, as spreadsheets copy them: cells end with a tab, rows with a line break. */
export function parsePastedCells(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length) {
    const found = CELL.exec(text);
    if (found === null) return text.split(/\r\n|\r|\n/).map((line) => line.split('\t').map((cell) => cell.trim()));
    const [, quoted, plain = '', end = ''] = found;
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).replaceAll(/\s+/g, ' ').trim());
    if (end !== '' && end !== '\t') rows.push([]);
    else if (end === '\t' && CELL.lastIndex === text.length) rows.at(-1)?.push('');
  }
  return rows.filter((row, at) => row.length > 0 || at < rows.length - 1);
}

/** Whether a pasted text is more than the text of one cell. */
export const isBlock = (text: string): boolean => /[\t\r\n]/.test(text);

interface Size {
  readonly rows: number;
  readonly columns: number;
}

interface PlacedCells {
  readonly cells: readonly { readonly row: number; readonly column: number; readonly text: string }[];
  /** How much of the block is beyond the grid. */
  readonly beyond: Size;
}

/** Where the cells of a block land, whose first one is placed at a row and a column of the grid. */
export function placeCells(
  block: readonly (readonly string[])[],
  at: { readonly row: number; readonly column: number },
  size: Size,
): PlacedCells {
  // A copied column can have a million rows, more than arguments of a call.
  const width = block.reduce((widest, row) => Math.max(widest, row.length), 0);
  return {
    cells: block
      .slice(0, Math.max(0, size.rows - at.row))
      .flatMap((texts, down) =>
        texts
          .slice(0, Math.max(0, size.columns - at.column))
          .map((text, right) => ({ row: at.row + down, column: at.column + right, text })),
      ),
    beyond: {
      rows: Math.max(0, at.row + block.length - size.rows),
      columns: Math.max(0, at.column + width - size.columns),
    },
  };
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** What a paste did. @param missing cells of the block whose variant has no such field */
export function describePaste(pasted: number, { rows, columns }: Size, missing = 0): string {
  const beyond = [rows > 0 && count(rows, 'row'), columns > 0 && count(columns, 'column')].filter(Boolean);
  return [
    `Pasted ${count(pasted, 'cell')}.`,
    beyond.length > 0 && `Left out, because the table ends: ${beyond.join(' and ')}.`,
    missing > 0 && `Left out, because the variant has no such field yet: ${count(missing, 'cell')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Edits that give the cells below a row its text. Cells that have it are left out. */
export function listFills<Column>(
  keys: readonly string[],
  from: number,
  column: Column,
  read: (key: string) => string | null,
): readonly CellEdit<Column>[] {
  const text = read(keys[from] ?? '');
  if (text === null) return [];
  return keys.slice(from + 1).flatMap((key) => {
    const before = read(key);
    return before === null || before === text ? [] : [{ key, column, text }];
  });
}

export const describeFill = (filled: number, text: string): string =>
  text === '' ? `Emptied ${count(filled, 'cell')} below.` : `Filled ${count(filled, 'cell')} below with ${text}.`;

/** Texts by the key of their variant. */
export type TextsByKey = Readonly<Record<string, string>>;

/** Edits of variants, and texts of the other columns. */
export function splitEdits(edits: readonly CellEdit<GridColumn>[]): {
  readonly ofVariants: readonly CellEdit[];
  readonly extras: Readonly<Partial<Record<ExtraColumn, TextsByKey>>>;
} {
  const ofVariants: CellEdit[] = [];
  const extras: Partial<Record<ExtraColumn, Record<string, string>>> = {};
  for (const { key, column, text } of edits) {
    if (isExtraColumn(column)) (extras[column] ??= {})[key] = text;
    else ofVariants.push({ key, column, text });
  }
  return { ofVariants, extras };
}

/** The variants with new texts. */
export function editVariants(
  variants: ProductForm['variants'],
  edits: readonly CellEdit[],
): Readonly<Record<string, FormVariant>> {
  const changed: Record<string, FormVariant> = {};
  for (const { key, column, text } of edits) {
    changed[key] = { ...(changed[key] ?? variants[key] ?? NEW_VARIANT), [column]: text };
  }
  return { ...variants, ...changed };
}
