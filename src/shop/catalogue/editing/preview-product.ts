import { createVariantKey } from '../products/variants.ts';
import type { ProductRow } from '../build-catalogue-data.ts';
import { listPriceParts, toPaths } from './product-content.ts';
import type { EditedPicture, ProductContent } from './product-content.ts';
import { pickPublicFields, toSpecificationRecord } from './product-fields.ts';

const listPictures = ({ pictures, values, variants }: ProductContent): readonly EditedPicture[] => [
  ...pictures,
  ...values.flatMap((value) => value.pictures),
  ...variants.flatMap((variant) => variant.pictures),
];

/** A product as processes hold it in memory, with edited content. */
export const toProductRow = (id: string, createdAt: Date, content: ProductContent): ProductRow => ({
  id,
  ...pickPublicFields(content),
  brandId: content.brand_id,
  categoryId: content.category_id,
  ...listPriceParts(content),
  taxClass: content.tax_class,
  weightGrams: content.weight_grams ?? undefined,
  soldUnits: 0,
  isSoldOut: false,
  hasSoldOutVariant: false,
  subDescription: content.sub_description,
  specifications: toSpecificationRecord(content.specifications),
  images: toPaths(content.pictures),
  mainImage: content.pictures[0]?.path ?? '',
  pictureAlts: Object.fromEntries(
    listPictures(content).flatMap(({ path, alt }) => (alt === '' ? [] : [[path, alt] as const])),
  ),
  valueImages: Object.fromEntries(
    content.values.filter(({ pictures }) => pictures.length > 0).map((value) => [value.id, toPaths(value.pictures)]),
  ),
  createdAt,
  position: 0,
  unsold: new Set(
    content.variants.filter((variant) => !variant.is_published).map(({ value_ids }) => createVariantKey(value_ids)),
  ),
});

/** The published variants of edited content, as if all were in stock. */
export const toShownVariants = ({ variants }: ProductContent) =>
  variants
    .filter((variant) => variant.is_published)
    .map(({ value_ids, sku, gtin, pictures }) => ({
      valueIds: value_ids.toSorted(),
      sku,
      gtin: gtin === '' ? null : gtin,
      images: toPaths(pictures),
      isAvailable: true,
    }));
