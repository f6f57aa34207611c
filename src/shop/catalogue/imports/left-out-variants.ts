/** Variants of a product that the lines of a file leave out. */
import { cents } from '#src/shop/money.ts';
import { createPriceOf } from './product-state.ts';
import type { ProductState, VariantState } from './product-state.ts';
import type { StructureIndex } from './structure-index.ts';

/** @param present null for a new product */
export function findLeftOut(
  present: ProductState | null,
  matched: readonly { readonly present: VariantState | null }[],
): readonly VariantState[] {
  const found = new Set(matched.map((line) => line.present?.id));
  return (present?.variants ?? []).filter(({ id }) => !found.has(id));
}

interface LeftOut {
  /** Null for a new product. */
  readonly present: ProductState | null;
  readonly variants: readonly VariantState[];
  /** Weights of these variants that are not that of the product. */
  readonly ownGrams: readonly (number | null)[];
  /** What the prices of the product are made of after the import. */
  readonly prices: Pick<ProductState, 'basePriceCents' | 'values'>;
}

/** These variants are no longer sold, with the prices and weights that they had. */
export function withdrawLeftOut({ present, variants, ownGrams, prices }: LeftOut): readonly VariantState[] {
  if (present === null) return [];
  const [priceBefore, priceAfter] = [createPriceOf(present), createPriceOf(prices)];
  return variants.map((variant, at) => {
    const price = priceBefore(variant.valueIds);
    const isSamePrice = price === priceAfter(variant.valueIds);
    return {
      ...variant,
      ownPriceCents: variant.ownPriceCents ?? (isSamePrice ? null : cents(price)),
      weightGrams: ownGrams[at] ?? null,
      isPublished: false,
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
  return leftOut.flatMap(({ sku, valueIds }) => {
    const at = places.get(sku);
    const variant = index.describeVariant(valueIds);
    const message = `The variant ${variant}, which the file leaves out, has the SKU “${sku}”`;
    return at === undefined ? [] : [{ at, message }];
  });
}
