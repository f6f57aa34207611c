/** What staff edit of a product. */
import { z } from 'zod';
import { dollars, filledText, id, listOf, listUpTo, slug, text, usd } from '#src/shop/codecs.ts';
import { taxClasses } from '#src/shop/tax/tax-class.ts';
import { energyLabel, enteredLabel, enteredSafety, productSafety } from '../compliance/contract.ts';
import { enteredSpecification } from '../contract.ts';
import { serialKinds } from '../serial-kind.ts';
import * as limits from './product-limits.ts';

const picture = z.object({
  path: z
    .string()
    .max(200)
    .regex(/^\/images\/[\w-]+(?:\/[\w-]+)*\.avif$/, { message: 'must be a path such as /images/name.avif' }),
  alt: text(limits.MAX_ALT),
});
const pictures = listUpTo(limits.MAX_PICTURES, picture);

/** Of one unit. */
const weightGrams = z.int().min(1).max(limits.MAX_GRAMS).nullable().default(null);

/** What staff send of a product. */
export const productContent = z.object({
  name: filledText(limits.MAX_NAME),
  slug,
  article: filledText(limits.MAX_ARTICLE),
  category_id: id,
  brand_id: id,
  base_price_usd: dollars(0.01),
  description: text(limits.MAX_DESCRIPTION),
  /** Shown on the product page. Null: the plain text is. Absent: it stays unless the plain text changes. */
  description_markdown: filledText(limits.MAX_DESCRIPTION).nullable().optional(),
  sub_description: text(limits.MAX_SUMMARY),
  tax_class: z.enum(taxClasses).default('standard'),
  serial_kind: z.enum(serialKinds).default('none'),
  /** Null: unknown. That of a variant is its own, or null. */
  weight_grams: weightGrams,
  /** Where it differs from the brand; null: nowhere. */
  safety: enteredSafety.nullable().default(null),
  energy_label: enteredLabel.nullable().default(null),
  /** One thing a line; empty: unknown. */
  in_the_box: text(limits.MAX_BOX).default(''),
  specifications: listUpTo(limits.MAX_SPECIFICATIONS, enteredSpecification),
  pictures,
  values: listUpTo(limits.MAX_VARIANTS, z.object({ id, increase_usd: dollars(0), pictures })),
  variants: listUpTo(
    limits.MAX_VARIANTS,
    z.object({
      value_ids: listUpTo(20, id),
      own_price_usd: dollars(0.01).nullable(),
      sku: text(limits.MAX_SKU).trim(),
      gtin: text(14).trim(),
      weight_grams: weightGrams,
      pictures,
      is_published: z.boolean(),
    }),
  ),
});

const storedPictures = listOf(z.object({ path: z.string(), alt: z.string() }));

/** The same as they read it and as drafts are stored: it may be older than the limits above. */
export const storedContent = z.object({
  name: z.string(),
  slug: z.string(),
  article: z.string(),
  category_id: id,
  brand_id: id,
  base_price_usd: usd,
  /** Plain text, derived from the Markdown if there is one. */
  description: z.string(),
  sub_description: z.string(),
  // Drafts from before these fields have none.
  description_markdown: z.string().nullable().default(null),
  tax_class: z.enum(taxClasses).default('standard'),
  serial_kind: z.enum(serialKinds).default('none'),
  /** Of one unit of each variant without a weight of its own; null: unknown. */
  weight_grams: z.int().nullable().default(null),
  /** Manufacturer, responsible person and warnings where they differ from those of the brand; null: nowhere. */
  safety: productSafety.nullable().default(null),
  /** Null: the product has none. */
  energy_label: energyLabel.nullable().default(null),
  in_the_box: z.string().default(''),
  /** In display order. */
  specifications: listOf(z.object({ name: z.string(), value: z.string() })),
  pictures: storedPictures,
  /** Values of the category's properties that the product is offered with. */
  values: listOf(z.object({ id, increase_usd: usd, pictures: storedPictures })),
  variants: listOf(
    z.object({
      value_ids: listOf(id),
      /** Null: the base price plus the increases of its values. */
      own_price_usd: usd.nullable(),
      /** Empty: derived from the article number. */
      sku: z.string(),
      /** Empty: none. */
      gtin: z.string(),
      /** Null: that of the product. */
      weight_grams: z.int().nullable().default(null),
      pictures: storedPictures,
      is_published: z.boolean(),
    }),
  ),
});
export type ProductContent = z.output<typeof storedContent>;
/** As the API sends it, and takes it. */
export type WireContent = z.input<typeof storedContent>;
