/** Units on hand and low-stock thresholds that staff type in the list, until they are saved together. */
import { readThreshold } from './read-threshold.ts';
import { readUnits } from './stock-form.ts';

/** The columns with fields. */
export type CellOf = 'on_hand' | 'threshold';

interface TypedCell {
  readonly variantId: string;
  readonly of: CellOf;
  /** Name of the variant. */
  readonly name: string;
  readonly text: string;
  /** What the row showed; null: not tracked, or the threshold of the shop. */
  readonly seen: number | null;
}

/** By `toKey`. */
export type TypedCells = Readonly<Record<string, TypedCell>>;

export interface CellVariant {
  readonly variant_id: string;
  readonly name: string;
  readonly on_hand: number | null;
  readonly threshold: number | null;
}

export const toKey = (variantId: string, of: CellOf): string => `${of}.${variantId}`;

const showStored = (stored: number | null): string => (stored === null ? '' : String(stored));

/** The text of a cell: typed, or the stored number. */
export const showCell = (cells: TypedCells, variant: CellVariant, of: CellOf): string =>
  cells[toKey(variant.variant_id, of)]?.text ?? showStored(variant[of]);

/** After the text of a cell changed. A cell with its stored number is no change. */
export function typeCell(cells: TypedCells, variant: CellVariant, of: CellOf, text: string): TypedCells {
  const { variant_id: variantId, name } = variant;
  const key = toKey(variantId, of);
  const others = Object.fromEntries(Object.entries(cells).filter(([other]) => other !== key));
  const isStored = text.trim() === showStored(variant[of]);
  return isStored ? others : { ...others, [key]: { variantId, of, name, text, seen: variant[of] } };
}

/** After a refusal: the cells of these variants are based on what their rows show now. */
export function rebaseCells(cells: TypedCells, variants: readonly CellVariant[]): TypedCells {
  const byId = new Map(variants.map((variant) => [variant.variant_id, variant]));
  return Object.values(cells).reduce((rebased, { variantId, of, text }) => {
    const variant = byId.get(variantId);
    return variant === undefined ? rebased : typeCell(rebased, variant, of, text);
  }, cells);
}

/** What is wrong with the text of a cell; null: nothing. An empty threshold is that of the shop. */
function findProblem({ of, text }: TypedCell): string | null {
  const typed = text.trim();
  if (of === 'threshold' && typed === '') return null;
  const read = of === 'on_hand' ? readUnits(typed, 'on_hand') : readThreshold(typed);
  return read.ok ? null : read.message;
}

/** Messages by key; empty if the cells can be sent. */
export function checkCells(cells: TypedCells): Readonly<Record<string, string>> {
  const messages = Object.entries(cells).flatMap(([key, cell]): [string, string][] => {
    const problem = findProblem(cell);
    return problem === null ? [] : [[key, problem]];
  });
  return Object.fromEntries(messages);
}

const listOf = (cells: TypedCells, of: CellOf): readonly TypedCell[] =>
  Object.values(cells).filter((cell) => cell.of === of);

export const countOf = (cells: TypedCells, of: CellOf): number => listOf(cells, of).length;

/** The lists of the request, in the order of their keys. */
export const toChanges = (cells: TypedCells) => ({
  counts: listOf(cells, 'on_hand').map(({ variantId, text, seen }) => ({
    variant_id: variantId,
    quantity: Number(text.trim()),
    seen,
  })),
  thresholds: listOf(cells, 'threshold').map(({ variantId, text, seen }) => ({
    variant_id: variantId,
    threshold: text.trim() === '' ? null : Number(text.trim()),
    seen,
  })),
});

/** Keys of refused cells, from the fields of the refusal such as `counts.2.quantity`. */
export function findRefused(cells: TypedCells, fields: Readonly<Record<string, string>>): readonly string[] {
  const lists = { counts: listOf(cells, 'on_hand'), thresholds: listOf(cells, 'threshold') };
  return Object.keys(fields).flatMap((path) => {
    const [, list, at] = /^(counts|thresholds)\.(\d+)\./.exec(path) ?? [];
    const cell = lists[list === 'counts' ? 'counts' : 'thresholds'][Number(at ?? Number.NaN)];
    return cell === undefined ? [] : [toKey(cell.variantId, cell.of)];
  });
}

/** Names the variants of refused cells whose rows are on other pages of the list; empty for none. */
export function nameElsewhere(cells: TypedCells, refused: readonly string[], shown: ReadonlySet<string>): string {
  const names = refused.flatMap((key) => {
    const cell = cells[key];
    return cell === undefined || shown.has(cell.variantId) ? [] : [cell.name];
  });
  return names.length === 0 ? '' : ` On other pages of the list: ${[...new Set(names)].join(', ')}.`;
}
