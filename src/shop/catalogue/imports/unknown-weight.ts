import type { UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';
import type { ImportedProduct } from './imported-product.ts';
import type { StoredProduct, VariantState } from '../editing/stored-product.ts';

interface WeighedProduct {
  readonly imported: Pick<ImportedProduct, 'hasWeights'>;
  readonly present: StoredProduct | null;
  readonly unknownWeight: UnknownWeightRule | null;
}

/** What the unknown weight of a product that is sold means, for a new product and for files with weights; else null. */
export function describeUnknownWeight(
  { imported, present, unknownWeight }: WeighedProduct,
  { weight_grams, variants }: { readonly weight_grams: number | null; readonly variants: readonly VariantState[] },
): string | null {
  if (unknownWeight === null || (present !== null && !imported.hasWeights)) return null;
  if (variants.every((variant) => !variant.is_published || (variant.weight_grams ?? weight_grams) !== null))
    return null;
  const meaning = unknownWeight === 'heaviest' ? 'is shipped at the price of the heaviest order' : 'can’t be ordered';
  return `The weight is unknown. Where shipping depends on it, the product ${meaning}`;
}
