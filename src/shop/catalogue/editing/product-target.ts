import { toPaths } from './product-content.ts';
import { pickColumns, toSpecificationRecord } from './product-fields.ts';
import type { PlacedVariant, WrittenProduct } from './stored-product.ts';

/** Texts of pictures by path; of several texts of one picture, the first one. */
export function listAlts({
  content: { pictures, values },
  variants,
}: WrittenProduct): Readonly<Record<string, string>> {
  const all = [pictures, ...values.map((value) => value.pictures), ...variants.map((variant) => variant.pictures)];
  const alts = new Map<string, string>();
  for (const { path, alt } of all.flat()) if (alt !== '' && !alts.has(path)) alts.set(path, alt);
  return Object.fromEntries(alts);
}

const toVariantTarget = (variant: PlacedVariant) => ({
  id: variant.id,
  property_value_ids: variant.value_ids,
  own_price_cents: variant.own_price_usd === null ? null : String(variant.own_price_usd),
  sku: variant.sku,
  gtin: variant.gtin === '' ? null : variant.gtin,
  weight_grams: variant.weight_grams,
  images: toPaths(variant.pictures),
  is_published: variant.is_published,
  position: variant.position,
});

/**
 * A product as JSON for `write-products.store.ts`. Imports store it, and a process of another release may write it.
 * @param fields changed ones, for the history
 */
export function toTarget(product: WrittenProduct, fields: readonly string[]) {
  const { content, variants, position, isPublished } = product;
  return {
    ...pickColumns(content),
    base_price_cents: String(content.base_price_usd),
    specifications: toSpecificationRecord(content.specifications),
    images: toPaths(content.pictures),
    main_image: content.pictures[0]?.path ?? '',
    picture_alts: listAlts(product),
    position,
    is_published: isPublished,
    values: content.values.map(({ id, increase_usd, pictures }) => ({
      value_id: id,
      increase_cents: String(increase_usd),
      images: toPaths(pictures),
    })),
    variants: variants.map(toVariantTarget),
    edited_fields: fields,
  };
}
