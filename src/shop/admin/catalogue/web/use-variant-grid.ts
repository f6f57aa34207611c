import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react';
import { useCallback, useRef, useState } from 'react';
import { useFocusAfterChange } from '#src/ui/form/use-focus-after-change.ts';
import { describeFill, describePaste, isBlock, listFills, parsePastedCells, placeCells } from '../variant-grid.ts';
import type { CellEdit } from '../variant-grid.ts';

interface GridOptions<Column extends string> {
  /** Of the rows, in order. */
  readonly keys: readonly string[];
  readonly columns: readonly { readonly column: Column; readonly isUnique: boolean }[];
  /** The text of a cell; null if the row has no such field. */
  readonly read: (key: string, column: Column) => string | null;
  readonly onEdit: (edits: readonly CellEdit<Column>[]) => void;
}

interface Done<Column> {
  readonly text: string;
  readonly edits: readonly CellEdit<Column>[];
  /** What the cells contained before. */
  readonly before: readonly CellEdit<Column>[];
}

interface Place {
  readonly row: number;
  readonly column: string;
}

/** Where an element of the grid is; null outside of its cells. */
function findPlace(target: EventTarget | null): Place | null {
  const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-column]') : null;
  const { row, column } = cell?.dataset ?? {};
  return row === undefined || column === undefined ? null : { row: Number(row), column };
}

const toSelector = ({ row, column }: Place): string => `[data-row="${row}"][data-column="${column}"]`;

/** How many rows a key moves by; null for other keys. */
function readStep({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, isField: boolean): number | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'Enter' && isField) return shiftKey ? -1 : 1;
  if (shiftKey) return null;
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : null;
}

const isTextField = (target: EventTarget): boolean => target instanceof HTMLInputElement && target.type === 'text';

/** Which row is open where rows are folded, and moving between cells of a column. */
function useMovement(keys: readonly string[], grid: RefObject<HTMLTableElement | null>) {
  const [openKey, setOpenKey] = useState<string | null>(null);
  const focusAfterOpening = useFocusAfterChange(grid, openKey);
  const move = (to: Place): void => {
    const cell = grid.current?.querySelector<HTMLElement>(toSelector(to));
    if (cell === null || cell === undefined) return;
    if (cell.checkVisibility()) {
      cell.focus();
      if (cell instanceof HTMLInputElement) cell.select();
    } else {
      focusAfterOpening(toSelector(to));
      setOpenKey(keys[to.row] ?? null);
    }
  };
  const toggle = useCallback((key: string): void => setOpenKey((before) => (before === key ? null : key)), []);
  return { openKey, toggle, move };
}

/** Keys, pasted blocks and fills of a grid of text fields. */
export function useVariantGrid<Column extends string>({ keys, columns, read, onEdit }: GridOptions<Column>) {
  const grid = useRef<HTMLTableElement>(null);
  const { openKey, toggle, move } = useMovement(keys, grid);
  const [done, setDone] = useState<Done<Column> | null>(null);

  const edit = (edits: readonly CellEdit<Column>[], text: string): void => {
    const before = edits.map((one) => ({ ...one, text: read(one.key, one.column) ?? '' }));
    onEdit(edits);
    setDone({ text, edits, before });
  };
  const fill = (name: string, from: number): void => {
    const found = columns.find(({ column }) => column === name);
    if (found === undefined) return;
    if (found.isUnique) {
      setDone({ text: 'Not filled: it is another one for each variant.', edits: [], before: [] });
      return;
    }
    const edits = listFills(keys, from, found.column, (key) => read(key, found.column));
    const text = read(keys[from] ?? '', found.column) ?? '';
    edit(
      edits,
      edits.length === 0 ? 'Nothing to fill: the cells below are the same.' : describeFill(edits.length, text),
    );
  };
  const press = (event: KeyboardEvent): void => {
    const place = findPlace(event.target);
    if (place === null || event.nativeEvent.isComposing) return;
    const isField = isTextField(event.target);
    const isFilling = isField && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'd';
    const step = readStep(event, isField);
    if (isFilling) fill(place.column, place.row);
    else if (step !== null) move({ row: place.row + step, column: place.column });
    else return;
    event.preventDefault();
  };
  const paste = (event: ClipboardEvent): void => {
    const place = findPlace(event.target);
    const text = event.clipboardData.getData('text/plain');
    if (place === null || !isTextField(event.target) || !isBlock(text)) return;
    event.preventDefault();
    const at = { row: place.row, column: columns.findIndex(({ column }) => column === place.column) };
    const { cells, beyond } = placeCells(parsePastedCells(text), at, { rows: keys.length, columns: columns.length });
    const edits = cells.flatMap((cell): CellEdit<Column>[] => {
      const [key, column] = [keys[cell.row], columns[cell.column]?.column];
      if (key === undefined || column === undefined || read(key, column) === null) return [];
      return [{ key, column, text: cell.text }];
    });
    edit(edits, describePaste(edits.length, beyond, cells.length - edits.length));
  };
  const undo = (): void => {
    // What was typed since stays.
    const back = done?.before.filter(({ key, column }, at) => read(key, column) === done.edits[at]?.text) ?? [];
    onEdit(back);
    setDone({ text: 'Undone.', edits: [], before: [] });
  };
  return { grid, openKey, toggle, fill, press, paste, undo, done, forget: () => setDone(null) };
}
