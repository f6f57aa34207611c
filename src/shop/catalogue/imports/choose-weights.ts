import type { VariantState } from '../editing/stored-product.ts';

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
  /** For each variant that the file leaves out. */
  readonly leftOutGrams: readonly (number | null)[];
}

interface WeightRequest {
  /** At least one. */
  readonly lines: readonly WeighedLine[];
  /** Variants that the file leaves out, which keep their weights. */
  readonly leftOut: readonly VariantState[];
  /** Weight of the product before; undefined for a new one. */
  readonly present: number | null | undefined;
  /** Whether the file has weights. */
  readonly hasColumn: boolean;
}

const listOwn = (variants: readonly (VariantState | null)[]): readonly (number | null)[] =>
  variants.map((variant) => variant?.weight_grams ?? null);

/**
 * The weight of the product and those of the variants that have another one. An empty cell has the weight of the first
 * line, unless the variant had another one. Weights that stay the same are stored as they were.
 */
export function chooseWeights({ lines, leftOut, present, hasColumn }: WeightRequest): ChosenWeights {
  const asBefore = {
    weightGrams: present ?? null,
    ownGrams: listOwn(lines.map((line) => line.present)),
    leftOutGrams: listOwn(leftOut),
  };
  if (!hasColumn) return asBefore;
  const weigh = (variant: VariantState): number | null => variant.weight_grams ?? present ?? null;
  const weights = weighLines(lines, weigh);
  const isSame =
    present !== undefined && lines.every((line, at) => line.present !== null && weigh(line.present) === weights[at]);
  if (isSame) return asBefore;
  const leftOutWeights = leftOut.map(weigh);
  // A variant of unknown weight has none of the product either.
  const ofProduct = [...weights, ...leftOutWeights].includes(null) ? null : (weights[0] ?? null);
  const toOwn = (grams: number | null): number | null => (grams === ofProduct ? null : grams);
  return { weightGrams: ofProduct, ownGrams: weights.map(toOwn), leftOutGrams: leftOutWeights.map(toOwn) };
}

/** @param weigh the weight of a variant before */
function weighLines(
  lines: readonly WeighedLine[],
  weigh: (variant: VariantState) => number | null,
): readonly (number | null)[] {
  const [first] = lines;
  const firstBefore = first?.present ? weigh(first.present) : undefined;
  const ofFirst = first?.imported.weightGrams === undefined ? (firstBefore ?? null) : first.imported.weightGrams;
  return lines.map(({ imported: { weightGrams }, present }) => {
    if (weightGrams !== undefined) return weightGrams;
    const before = present === null ? firstBefore : weigh(present);
    return before === undefined || before === firstBefore ? ofFirst : before;
  });
}
