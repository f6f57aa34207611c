import { useMemo } from 'react';
import { createVariantKey } from '#src/shop/catalogue/products/variants.ts';
import type { ExtraColumn, TextsByKey } from '../variant-grid.ts';

/** A column of the grid of variants that is no part of the product. */
export interface EditedColumn {
  /** What is typed for a variant, by its key; null for one that is not saved yet. */
  readonly read: (key: string) => string | null;
  readonly findProblem: (key: string) => string | undefined;
  /** Stable. */
  readonly set: (texts: TextsByKey) => void;
}

/** Absent: the reader may not see it, or the product is new. */
export type ExtraColumns = Readonly<Partial<Record<ExtraColumn, EditedColumn>>>;

/** Texts by the id of their variant. */
type TextsById = Readonly<Record<string, string>>;

interface ColumnOptions {
  /** Those that are saved. Stable. */
  readonly variants: readonly { readonly id: string; readonly valueIds: readonly string[] }[];
  readonly texts: TextsById;
  /** Stable. */
  readonly change: (edit: (before: TextsById) => TextsById) => void;
  readonly findProblem: (id: string) => string | undefined;
}

/** The column of a document whose texts are stored by the id of the variant. */
export function useExtraColumn({ variants, texts, change, findProblem }: ColumnOptions): EditedColumn {
  const ids = useMemo(() => new Map(variants.map(({ id, valueIds }) => [createVariantKey(valueIds), id])), [variants]);
  const set = useMemo(
    () =>
      (typed: TextsByKey): void => {
        const known = Object.entries(typed).flatMap(([key, text]) => {
          const id = ids.get(key);
          return id === undefined ? [] : [[id, text] as const];
        });
        change((before) => ({ ...before, ...Object.fromEntries(known) }));
      },
    [ids, change],
  );
  return {
    read: (key) => {
      const id = ids.get(key);
      return id === undefined ? null : (texts[id] ?? '');
    },
    findProblem: (key) => findProblem(ids.get(key) ?? ''),
    set,
  };
}
