import { z } from 'zod';
import {
  dollars,
  filledText,
  id,
  instant,
  listOf,
  listUpTo,
  MAX_DOLLARS,
  percent,
  queryInteger,
  rowVersion,
  slug,
  text,
  textTokens,
  usd,
} from '#src/shop/codecs.ts';
import { taxClasses } from '#src/shop/tax/tax-class.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { chapters, enteredChapters } from '../chapters/contract.ts';
import { energyLabel, enteredLabel, enteredSafety, productSafety } from '../compliance/contract.ts';
import { enteredSpecification, productDetail } from '../contract.ts';
import { picturePath } from '../pictures/contract.ts';
import { serialKinds } from '../serial-kind.ts';
import * as limits from './product-limits.ts';
import { productSorts, productStates } from './product-state.ts';

export { MAX_BULK } from './product-limits.ts';

const pictures = listUpTo(limits.MAX_PICTURES, z.object({ path: picturePath, alt: text(limits.MAX_ALT) }));

/** Of one unit. */
const weightGrams = z.int().min(1).max(limits.MAX_GRAMS).nullable().default(null);

const productContent = z.object({
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
  chapters: enteredChapters.default([]),
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

const version = rowVersion(1);
const count = z.int().nonnegative();
const name = filledText(80);
const storedPictures = listOf(z.object({ path: z.string(), alt: z.string() }));

/** What staff edit of a product, as they read it and as drafts are stored: it may be older than the limits above. */
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
  chapters: chapters.default([]),
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

const editedProduct = z.object({
  id,
  version,
  state: z.enum(productStates),
  /** The content is a saved draft that buyers do not see yet. */
  has_unpublished_changes: z.boolean(),
  content: storedContent,
  /** Slug of the published page; null unless the product is on sale. */
  live_slug: z.string().nullable(),
  edited_at: instant,
  /** Who edited it last; null if nobody did. */
  edited_by: z.string().nullable(),
});
export type EditedProduct = z.input<typeof editedProduct>;

const listedProduct = z.object({
  id,
  version,
  name: z.string(),
  slug: z.string(),
  article: z.string(),
  main_image: z.string(),
  state: z.enum(productStates),
  has_unpublished_changes: z.boolean(),
  category_name: z.string(),
  brand_name: z.string(),
  base_price_usd: usd,
  /** The reduced base price; null without a sale price in force. */
  sale_price_usd: usd.nullable(),
  sold_units: count,
});
export type ListedProduct = z.input<typeof listedProduct>;

const productFilter = z
  .object({ q: text(200), state: z.enum([...productStates, 'changed', 'reduced']), category: id, brand: id })
  .partial();

const bulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('publish') }),
  z.object({ kind: z.literal('withdraw') }),
  z.object({ kind: z.literal('category'), category_id: id }),
  z.object({ kind: z.literal('price-set'), usd: dollars(0.01) }),
  z.object({ kind: z.literal('price-add'), usd: dollars(-MAX_DOLLARS) }),
  z.object({ kind: z.literal('price-percent'), percent }),
]);
export type BulkChange = z.output<typeof bulkChange>;
export type WireBulkChange = z.input<typeof bulkChange>;

const bulkPreview = z.object({
  /** Products that the change applies to, with what changes. */
  changes: z.array(
    z.object({
      id,
      version,
      name: z.string(),
      before: z.string(),
      after: z.string(),
      /** Base price and prices of variants that change by half or more. */
      large_changes: z.array(z.object({ before: z.string(), after: z.string() })),
    }),
  ),
  /** Products that it does not apply to, with the reason. */
  skipped: z.array(z.object({ id, name: z.string(), reason: z.string() })),
});
export type BulkPreview = z.input<typeof bulkPreview>;

const structure = z.object({
  categories: z.array(
    z.object({
      id,
      version,
      name: z.string(),
      slug: z.string(),
      product_count: count,
      properties: z.array(
        z.object({
          id,
          name: z.string(),
          values: z.array(z.object({ id, value: z.string(), increase_usd: usd, product_count: count })),
        }),
      ),
    }),
  ),
  brands: z.array(
    z.object({
      id,
      version,
      name: z.string(),
      slug: z.string(),
      product_count: count,
      /** Null: none is given. */
      safety: productSafety.nullable(),
    }),
  ),
});
type Structure = z.input<typeof structure>;
export type StructureCategory = Structure['categories'][number];
export type StructureBrand = Structure['brands'][number];

/** Properties and values in display order. Without an id they are new; those left out are deleted. */
const properties = z
  .array(
    z.object({
      id: id.optional(),
      name,
      values: z.array(z.object({ id: id.optional(), value: name, increase_usd: dollars(0) })).max(limits.MAX_VARIANTS),
    }),
  )
  .max(20);
/** Of all products of the brand that have no own. Absent: it stays. */
const brandSafety = { safety: enteredSafety.nullable().optional() };
const order = z.object({ ids: z.array(id).max(1000) });

const staffOnly = { 403: 'forbidden' };
/** Of calls that may change prices. */
const pricing = { 401: 'reauth', 403: 'forbidden, missing-scope' };
const changing = { ...staffOnly, 404: 'not-found', 409: 'changed-meanwhile, taken, in-use' };

export const editingApi = {
  'GET /catalogue/products': {
    summary:
      'Staff: products in any state, 25 a page; total counts at most 10,000. q finds words, article or slug, and a SKU or its first 3 or more characters',
    query: productFilter.extend({ sort: z.enum(productSorts).optional(), page: queryInteger(1, 400).optional() }),
    response: z.object({ products: z.array(listedProduct), total: count, page: z.int().positive() }),
    refusals: staffOnly,
  },
  'POST /catalogue/products': {
    summary:
      'Staff: creates a product as a draft. Missing variants are added, and SKUs derived from the article number. description_markdown, unless null, replaces description by its plain text',
    body: productContent,
    status: 201,
    maxBodyBytes: limits.MAX_BODY_BYTES,
    response: z.object({ product: editedProduct }),
    refusals: { ...staffOnly, 409: 'taken' },
  },
  'GET /catalogue/products/{id}': {
    summary: 'Staff: a product as staff edit it: its saved draft, or what is stored',
    params: z.object({ id }),
    response: z.object({ product: editedProduct }),
    refusals: { ...staffOnly, 404: 'not-found' },
  },
  'PUT /catalogue/products/{id}': {
    summary:
      'Staff: saves a product, and publishes it if asked to. Else a product on sale keeps selling as it was. A new description_markdown replaces description by its plain text; a new description without one replaces the Markdown. Large reductions of prices need a recent password. A key also needs prices:write to change prices or to publish a product for the first time',
    params: z.object({ id }),
    body: z.object({ version, publish: z.boolean(), content: productContent }),
    maxBodyBytes: limits.MAX_BODY_BYTES,
    response: z.object({ product: editedProduct }),
    refusals: { ...changing, ...pricing },
  },
  'GET /catalogue/products/{id}/preview': {
    summary: 'Staff: a product in any state with its draft, in the form of its page',
    params: z.object({ id }),
    response: z.object({ product: productDetail }),
    refusals: { ...staffOnly, 404: 'not-found' },
  },
  'POST /catalogue/products/{id}/discard-changes': {
    summary: 'Staff: deletes the saved draft of a product on sale',
    params: z.object({ id }),
    body: z.object({ version }),
    response: z.object({ product: editedProduct }),
    refusals: changing,
  },
  'POST /catalogue/products/{id}/withdraw': {
    summary: 'Staff: takes a product off sale. Its orders stay',
    params: z.object({ id }),
    body: z.object({ version }),
    response: z.object({ product: editedProduct }),
    refusals: changing,
  },
  'POST /catalogue/products/{id}/duplicate': {
    summary: 'Staff: creates a draft with the same content, and a name, slug, article number and SKUs of its own',
    params: z.object({ id }),
    status: 201,
    response: z.object({ product: editedProduct }),
    refusals: { ...staffOnly, 404: 'not-found' },
  },
  'DELETE /catalogue/products/{id}': {
    summary: 'Staff: deletes a product that was never published',
    params: z.object({ id }),
    body: z.object({ version }),
    response: z.object({ id }),
    refusals: changing,
  },
  'POST /catalogue/description-preview': {
    summary:
      'Staff: a product description in Markdown as its page would show it, as elements; a null ends the innermost one',
    body: z.object({ markdown: filledText(limits.MAX_DESCRIPTION) }),
    response: z.object({ elements: textTokens }),
    refusals: staffOnly,
    maxBodyBytes: limits.MAX_PREVIEW_BYTES,
  },
  'POST /catalogue/bulk-edits/preview': {
    summary: `Staff: what a change would do to these products, or to all that match; at most ${limits.MAX_BULK}`,
    body: z.object({
      ids: z.array(id).min(1).max(limits.MAX_BULK).optional(),
      filter: productFilter.optional(),
      change: bulkChange,
    }),
    maxBodyBytes: limits.MAX_BODY_BYTES,
    response: bulkPreview,
    refusals: { ...staffOnly, 409: 'too-many' },
  },
  'POST /catalogue/bulk-edits': {
    summary:
      'Staff: changes all of these products, or none if one was changed since the preview. Large reductions of prices need a recent password. A key also needs prices:write to change prices or to publish a product for the first time',
    body: z.object({ products: z.array(z.object({ id, version })).min(1).max(limits.MAX_BULK), change: bulkChange }),
    maxBodyBytes: limits.MAX_BODY_BYTES,
    response: z.object({ changed: count }),
    refusals: { ...staffOnly, ...pricing, 409: 'changed-meanwhile' },
  },
  'GET /catalogue/structure': {
    summary: 'Staff: categories with properties and values, and brands, with the products that use them',
    response: structure,
    refusals: staffOnly,
  },
  'POST /catalogue/categories': {
    summary: 'Staff: creates a category at the end',
    body: z.object({ name, slug: slug }),
    status: 201,
    response: z.object({ id }),
    refusals: { ...staffOnly, 409: 'taken' },
  },
  'PUT /catalogue/categories/{id}': {
    summary: 'Staff: changes a category with its properties and values. Values in use cannot be left out',
    params: z.object({ id }),
    body: z.object({ version, name, slug, properties }),
    maxBodyBytes: limits.MAX_BODY_BYTES,
    response: z.object({ id }),
    refusals: changing,
  },
  'DELETE /catalogue/categories/{id}': {
    summary: 'Staff: deletes a category without products',
    params: z.object({ id }),
    response: z.object({ id }),
    refusals: changing,
  },
  'PUT /catalogue/category-order': {
    summary: 'Staff: sorts the categories. The list must contain all of them',
    body: order,
    response: z.object({ ids: z.array(id) }),
    refusals: { ...staffOnly, 409: 'changed-meanwhile' },
  },
  'POST /catalogue/brands': {
    summary: 'Staff: creates a brand at the end',
    body: z.object({ name, slug, ...brandSafety }),
    status: 201,
    response: z.object({ id }),
    refusals: { ...staffOnly, 409: 'taken' },
  },
  'PUT /catalogue/brands/{id}': {
    summary: 'Staff: changes a brand',
    params: z.object({ id }),
    body: z.object({ version, name, slug, ...brandSafety }),
    response: z.object({ id }),
    refusals: changing,
  },
  'DELETE /catalogue/brands/{id}': {
    summary: 'Staff: deletes a brand without products',
    params: z.object({ id }),
    response: z.object({ id }),
    refusals: changing,
  },
  'PUT /catalogue/brand-order': {
    summary: 'Staff: sorts the brands. The list must contain all of them',
    body: order,
    response: z.object({ ids: z.array(id) }),
    refusals: { ...staffOnly, 409: 'changed-meanwhile' },
  },
} as const satisfies Contract;
