import { z } from 'zod';
import {
  dollars,
  filledText,
  id,
  instant,
  MAX_DOLLARS,
  percent,
  queryInteger,
  rowVersion,
  slug,
  text,
  textTokens,
  usd,
} from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { enteredSafety, productSafety } from '../compliance/contract.ts';
import { productDetail } from '../contract.ts';
import { productContent, storedContent } from './content-contract.ts';
import * as limits from './product-limits.ts';
import { productSorts, productStates } from './product-state.ts';

/** A form with 250 variants, pictures included, is far below. */
const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_BULK = 500;
/** In UTF-8 a character takes up to four bytes, and JSON escapes some. */
const MAX_PREVIEW_BYTES = 150_000;

const version = rowVersion(1);
const count = z.int().nonnegative();
const name = filledText(80);
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
    maxBodyBytes: MAX_BODY_BYTES,
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
    maxBodyBytes: MAX_BODY_BYTES,
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
    maxBodyBytes: MAX_PREVIEW_BYTES,
  },
  'POST /catalogue/bulk-edits/preview': {
    summary: `Staff: what a change would do to these products, or to all that match; at most ${MAX_BULK}`,
    body: z.object({
      ids: z.array(id).min(1).max(MAX_BULK).optional(),
      filter: productFilter.optional(),
      change: bulkChange,
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    response: bulkPreview,
    refusals: { ...staffOnly, 409: 'too-many' },
  },
  'POST /catalogue/bulk-edits': {
    summary:
      'Staff: changes all of these products, or none if one was changed since the preview. Large reductions of prices need a recent password. A key also needs prices:write to change prices or to publish a product for the first time',
    body: z.object({ products: z.array(z.object({ id, version })).min(1).max(MAX_BULK), change: bulkChange }),
    maxBodyBytes: MAX_BODY_BYTES,
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
    maxBodyBytes: MAX_BODY_BYTES,
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
