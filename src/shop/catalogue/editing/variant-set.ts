import type { Cents } from '#src/shop/money.ts';
import { createSku, createVariantKey, listCombinations } from '../products/variants.ts';
import type { EditedPicture, EditedVariant } from './product-content.ts';

export interface StoredVariant extends EditedVariant {
  readonly id: string;
}

/** A variant as it has to be stored. Without an id it is new. */
export interface PlannedVariant {
  readonly id: string | null;
  /** Sorted. */
  readonly valueIds: readonly string[];
  readonly ownPriceCents: Cents | null;
  readonly sku: string;
  readonly gtin: string;
  readonly weightGrams: number | null;
  readonly pictures: readonly EditedPicture[];
  readonly isPublished: boolean;
  readonly position: number;
}

interface VariantSetInput {
  readonly offered: readonly { readonly values: readonly { readonly id: string }[] }[];
  /** All of the product, also those whose combination no longer exists. */
  readonly stored: readonly StoredVariant[];
  readonly edited: readonly EditedVariant[];
  readonly article: string;
  /** SKUs of other products. */
  readonly takenSkus?: ReadonlySet<string>;
}

/**
 * The variants of a product: one for each combination of its values, in display order. A combination
 * that was not edited keeps what is stored, or becomes a new published variant. Stored variants whose
 * combination no longer exists follow, unpublished.
 */
export function planVariants(input: VariantSetInput): readonly PlannedVariant[] {
  const { offered, stored, edited, article, takenSkus = new Set() } = input;
  const storedByKey = new Map(stored.map((variant) => [createVariantKey(variant.value_ids), variant]));
  const editedByKey = new Map(edited.map((variant) => [createVariantKey(variant.value_ids), variant]));
  const combinations = listCombinations(offered);
  const present = new Set(combinations.map(createVariantKey));
  const former = stored.filter(({ value_ids }) => !present.has(createVariantKey(value_ids)));
  const used = new Set([...takenSkus, ...former.map(({ sku }) => sku)]);
  const chosen = combinations.map((valueIds) => {
    const key = createVariantKey(valueIds);
    const before = storedByKey.get(key);
    return { valueIds, before, variant: editedByKey.get(key) ?? before };
  });
  for (const { variant, before } of chosen) used.add((variant?.sku ?? '') || (before?.sku ?? ''));
  const planned = chosen.map(({ valueIds, before, variant }, position): PlannedVariant => {
    const sku = (variant?.sku ?? '') || (before?.sku ?? '') || deriveSku(article, position, combinations.length, used);
    used.add(sku);
    return {
      id: before?.id ?? null,
      valueIds,
      ownPriceCents: variant?.own_price_usd ?? null,
      sku,
      gtin: variant?.gtin ?? '',
      weightGrams: variant?.weight_grams ?? null,
      pictures: variant?.pictures ?? [],
      isPublished: variant?.is_published ?? true,
      position,
    };
  });
  return [...planned, ...former.map((variant, index) => withdrawVariant(variant, combinations.length + index))];
}

const withdrawVariant = (variant: StoredVariant, position: number): PlannedVariant => ({
  id: variant.id,
  valueIds: variant.value_ids.toSorted(),
  ownPriceCents: variant.own_price_usd,
  sku: variant.sku,
  gtin: variant.gtin,
  weightGrams: variant.weight_grams,
  pictures: variant.pictures,
  isPublished: false,
  position,
});

function deriveSku(article: string, position: number, total: number, used: ReadonlySet<string>): string {
  const first = createSku(article, position, total);
  if (!used.has(first)) return first;
  for (let number = total + 1; ; number += 1) {
    const candidate = `${article}-${number}`;
    if (!used.has(candidate)) return candidate;
  }
}
