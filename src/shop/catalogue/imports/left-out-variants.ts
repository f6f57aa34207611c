/** Variants of a product that the lines of a file leave out. */
import { createPriceOf } from '../editing/product-content.ts';
import type { ProductContent } from '../editing/product-content.ts';
import type { StoredProduct, VariantState } from '../editing/stored-product.ts';
import type { StructureIndex } from './structure-index.ts';

/** @param present null for a new product */
export function findLeftOut(
  present: StoredProduct | null,
  matched: readonly { readonly present: VariantState | null }[],
): readonly VariantState[] {
  const found = new Set(matched.map((line) => line.present?.id));
  return (present?.variants ?? []).filter(({ id }) => !found.has(id));
}

interface LeftOut {
  /** Null for a new product. */
  readonly present: StoredProduct | null;
  readonly variants: readonly VariantState[];
  /** Weights of these variants that are not that of the product. */
  readonly ownGrams: readonly (number | null)[];
  /** What the prices of the product are made of after the import. */
  readonly prices: Pick<ProductContent, 'base_price_usd' | 'values'>;
}

/** These variants are no longer sold, with the prices and weights that they had. */
export function withdrawLeftOut({ present, variants, ownGrams, prices }: LeftOut): readonly VariantState[] {
  if (present === null) return [];
  const [priceBefore, priceAfter] = [createPriceOf(present.content), createPriceOf(prices)];
  return variants.map((variant, at) => {
    const price = priceBefore(variant.value_ids);
    const isSamePrice = price === priceAfter(variant.value_ids);
    return {
      ...variant,
      own_price_usd: variant.own_price_usd ?? (isSamePrice ? null : price),
      weight_grams: ownGrams[at] ?? null,
      is_published: false,
    };
  });
}

/** SKUs of these variants that lines of the file have, with the places of the lines. */
export function listTakenSkus(
  leftOut: readonly VariantState[],
  lines: readonly Pick<VariantState, 'sku'>[],
  index: StructureIndex,
): readonly { readonly at: number; readonly message: string }[] {
  const places = new Map(lines.map(({ sku }, at) => [sku, at]));
  return leftOut.flatMap(({ sku, value_ids }) => {
    const at = places.get(sku);
    const variant = index.describeVariant(value_ids);
    const message = `The variant ${variant}, which the file leaves out, has the SKU “${sku}”`;
    return at === undefined ? [] : [{ at, message }];
  });
}
