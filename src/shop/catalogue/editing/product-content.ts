import type { Cents } from '#src/shop/money.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';
import { createVariantKey } from '../products/variants.ts';

/** What staff edit of a product. A saved draft has the same form. */
export interface ProductContent {
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  readonly category_id: string;
  readonly brand_id: string;
  readonly base_price_usd: Cents;
  /** Plain text, derived from the Markdown if there is one. */
  readonly description: string;
  readonly description_markdown: string | null;
  readonly sub_description: string;
  readonly tax_class: TaxClass;
  /** Of one unit of each variant without a weight of its own; null: unknown. */
  readonly weight_grams: number | null;
  /** In display order. */
  readonly specifications: readonly Specification[];
  readonly pictures: readonly EditedPicture[];
  /** Values of the category's properties that the product is offered with. */
  readonly values: readonly EditedValue[];
  readonly variants: readonly EditedVariant[];
}

interface Specification {
  readonly name: string;
  readonly value: string;
}

export interface EditedPicture {
  readonly path: string;
  /** Text for those who can't see it. */
  readonly alt: string;
}

interface EditedValue {
  readonly id: string;
  readonly increase_usd: Cents;
  readonly pictures: readonly EditedPicture[];
}

export interface EditedVariant {
  readonly value_ids: readonly string[];
  /** Null: the base price plus the increases of its values. */
  readonly own_price_usd: Cents | null;
  /** Empty: derived from the article number. */
  readonly sku: string;
  /** Empty: none. */
  readonly gtin: string;
  /** Of one unit; null: that of the product. */
  readonly weight_grams: number | null;
  readonly pictures: readonly EditedPicture[];
  readonly is_published: boolean;
}

/** The normal prices of all variants by their keys. */
export function listVariantPrices({
  base_price_usd: base,
  values,
  variants,
}: Pick<ProductContent, 'base_price_usd' | 'values' | 'variants'>): ReadonlyMap<string, bigint> {
  const increases = new Map(values.map(({ id, increase_usd }) => [id, increase_usd]));
  return new Map(
    variants.map(({ value_ids, own_price_usd }) => [
      createVariantKey(value_ids),
      own_price_usd ?? value_ids.reduce<bigint>((sum, id) => sum + (increases.get(id) ?? 0n), base),
    ]),
  );
}

const listPaths = (lists: readonly (readonly EditedPicture[])[]): string[] => [
  ...new Set(lists.flat().map(({ path }) => path)),
];

/** Paths of all pictures, once each, by the field that has them. */
export function listPicturePaths({ pictures, values, variants }: ProductContent): ReadonlyMap<ContentField, string[]> {
  return new Map([
    ['pictures', listPaths([pictures])],
    ['values', listPaths(values.map((value) => value.pictures))],
    ['variants', listPaths(variants.map((variant) => variant.pictures))],
  ]);
}

/** A category with the ids of its properties and values. */
export interface EditedCategory {
  readonly properties: readonly { readonly values: readonly { readonly id: string }[] }[];
}

/** As wide as those of Shopify, so that its products fit. */
export const MAX_NAME = 255;
export const MAX_SKU = 255;
export const MAX_PROPERTIES = 4;
export const MAX_VARIANTS = 250;

/** Names of fields as staff read them. */
const FIELD_NAMES: Readonly<Record<keyof ProductContent, string>> = {
  name: 'name',
  slug: 'URL',
  article: 'article number',
  category_id: 'category',
  brand_id: 'brand',
  base_price_usd: 'base price',
  description: 'description',
  description_markdown: 'description',
  sub_description: 'summary',
  tax_class: 'tax class',
  weight_grams: 'weight',
  specifications: 'specifications',
  pictures: 'pictures',
  values: 'values',
  variants: 'variants',
};

export type ContentField = keyof typeof FIELD_NAMES;

const isContentField = (name: string): name is ContentField => Object.hasOwn(FIELD_NAMES, name);

/** 'published' and 'withdrawn' are recorded as changes too and read as they are. */
export const formatFieldName = (name: string): string => (isContentField(name) ? FIELD_NAMES[name] : name);

const toComparable = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));

/** Fields whose content differs. */
export const listChangedFields = (before: ProductContent, after: ProductContent): readonly ContentField[] =>
  Object.keys(FIELD_NAMES)
    .filter(isContentField)
    .filter((field) => toComparable(before[field]) !== toComparable(after[field]));

/** Values offered, by property and in display order; without properties of which none is offered. */
export function listOfferedIds(
  { properties }: EditedCategory,
  values: readonly { readonly id: string }[],
): readonly { readonly values: readonly { readonly id: string }[] }[] {
  const offered = new Set(values.map(({ id }) => id));
  return properties
    .map((property) => ({ values: property.values.filter(({ id }) => offered.has(id)) }))
    .filter(({ values: own }) => own.length > 0);
}
