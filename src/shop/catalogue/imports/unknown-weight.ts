import type { UnknownWeightRule } from '#src/shop/shipping/compute-shipping.ts';
import type { ImportedProduct } from './imported-product.ts';
import type { ProductState } from './product-state.ts';

interface WeighedProduct {
  readonly imported: Pick<ImportedProduct, 'hasWeights'>;
  readonly present: ProductState | null;
  readonly unknownWeight: UnknownWeightRule | null;
}

/** What the unknown weight of a product that is sold means, for a new product and for files with weights; else null. */
export function describeUnknownWeight(
  { imported, present, unknownWeight }: WeighedProduct,
  { weightGrams, variants }: Pick<ProductState, 'weightGrams' | 'variants'>,
): string | null {
  if (unknownWeight === null || (present !== null && !imported.hasWeights)) return null;
  if (variants.every((variant) => !variant.isPublished || (variant.weightGrams ?? weightGrams) !== null)) return null;
  const meaning = unknownWeight === 'heaviest' ? 'is shipped at the price of the heaviest order' : 'can’t be ordered';
  return `The weight is unknown. Where shipping depends on it, the product ${meaning}`;
}
