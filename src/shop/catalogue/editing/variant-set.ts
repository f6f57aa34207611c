import { createSku, createVariantKey, listCombinations } from '../products/variants.ts';
import type { EditedVariant } from './product-content.ts';
import type { PlacedVariant, StoredVariant } from './stored-product.ts';

/** A variant as it has to be stored, with sorted values. Without an id it is new. */
export interface PlannedVariant extends Omit<PlacedVariant, 'id'> {
  readonly id: string | null;
}

/** A variant that nobody edited. */
const NEW_VARIANT = { own_price_usd: null, gtin: '', weight_grams: null, pictures: [], is_published: true };

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
  const chosen = combinations.map((value_ids) => {
    const key = createVariantKey(value_ids);
    const before = storedByKey.get(key);
    return { value_ids, before, variant: editedByKey.get(key) ?? before };
  });
  for (const { variant, before } of chosen) used.add((variant?.sku ?? '') || (before?.sku ?? ''));
  const planned = chosen.map(({ value_ids, before, variant }, position): PlannedVariant => {
    const sku = (variant?.sku ?? '') || (before?.sku ?? '') || deriveSku(article, position, combinations.length, used);
    used.add(sku);
    return { ...NEW_VARIANT, ...variant, id: before?.id ?? null, value_ids, sku, position };
  });
  const withdrawn = former.map((variant, index) => ({
    ...variant,
    value_ids: variant.value_ids.toSorted(),
    is_published: false,
    position: combinations.length + index,
  }));
  return [...planned, ...withdrawn];
}

function deriveSku(article: string, position: number, total: number, used: ReadonlySet<string>): string {
  const first = createSku(article, position, total);
  if (!used.has(first)) return first;
  for (let number = total + 1; ; number += 1) {
    const candidate = `${article}-${number}`;
    if (!used.has(candidate)) return candidate;
  }
}
