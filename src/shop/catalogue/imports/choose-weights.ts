import type { VariantState } from './product-state.ts';

/** A line of the file with the variant that it describes. */
interface WeighedLine {
  readonly imported: {
    /** Undefined: an empty cell, or no column. Null: unknown. */
    readonly weightGrams?: number | null | undefined;
  };
  readonly present: VariantState | null;
}

export interface ChosenWeights {
  /** Of variants without their own; null: unknown. */
  readonly weightGrams: number | null;
  /** For each line; null: that of the product. */
  readonly ownGrams: readonly (number | null)[];
}

/**
 * The weight of the product and those of the variants that have another one. An empty cell has the weight of the first
 * line. Weights that stay the same are stored as they were.
 * @param lines at least one
 * @param present weight of the product before; undefined for a new one
 * @param hasColumn whether the file has weights
 */
export function chooseWeights(
  lines: readonly WeighedLine[],
  present: number | null | undefined,
  hasColumn: boolean,
): ChosenWeights {
  const before = lines.map((line) => line.present?.weightGrams ?? null);
  if (!hasColumn) return { weightGrams: present ?? null, ownGrams: before };
  const first = lines[0]?.imported.weightGrams ?? null;
  const weights = lines.map(({ imported: { weightGrams } }) => (weightGrams === undefined ? first : weightGrams));
  const isSame =
    present !== undefined &&
    lines.every((line, at) => line.present !== null && (before[at] ?? present) === weights[at]);
  if (isSame) return { weightGrams: present, ownGrams: before };
  // A variant of unknown weight has none of the product either.
  const ofProduct = weights.includes(null) ? null : first;
  return { weightGrams: ofProduct, ownGrams: weights.map((grams) => (grams === ofProduct ? null : grams)) };
}
