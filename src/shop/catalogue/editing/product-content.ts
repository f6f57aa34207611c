/** The content of a product: what staff edit, in the form of the contract. */
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { mapPictures } from '../chapters/chapters.ts';
import { createVariantKey } from '../products/variants.ts';
import type { PriceParts } from '../sale-prices/sale-price.ts';
import type { ProductContent } from './contract.ts';

export type { ProductContent } from './contract.ts';
export type EditedPicture = ProductContent['pictures'][number];
export type EditedVariant = ProductContent['variants'][number];

type PricedContent = Pick<ProductContent, 'base_price_usd' | 'values'>;
type ContentWithVariants = PricedContent & {
  readonly variants: readonly Pick<EditedVariant, 'value_ids' | 'own_price_usd'>[];
};

/** Computes base price plus increases of a combination. */
export function createPriceOf({ base_price_usd: base, values }: PricedContent): (ids: readonly string[]) => Cents {
  const increases = new Map<string, bigint>(values.map(({ id, increase_usd }) => [id, increase_usd]));
  return (ids) => cents(ids.reduce<bigint>((sum, id) => sum + (increases.get(id) ?? 0n), base));
}

/** The normal prices of all variants by their keys. */
export function listVariantPrices(content: ContentWithVariants): ReadonlyMap<string, bigint> {
  const priceOf = createPriceOf(content);
  return new Map(
    content.variants.map(({ value_ids, own_price_usd }) => [
      createVariantKey(value_ids),
      own_price_usd ?? priceOf(value_ids),
    ]),
  );
}

/** What the prices of a product are made of. */
export const listPriceParts = ({ base_price_usd, values, variants }: ContentWithVariants): PriceParts => ({
  basePriceCents: base_price_usd,
  increases: new Map(values.map(({ id, increase_usd }) => [id, increase_usd])),
  ownPrices: new Map(
    variants.flatMap(({ value_ids, own_price_usd: own }) =>
      own === null ? [] : [[createVariantKey(value_ids), own] as const],
    ),
  ),
});

const listPaths = (lists: readonly (readonly EditedPicture[])[]): string[] => [
  ...new Set(lists.flat().map(({ path }) => path)),
];

/** What has pictures of its own. */
interface PicturedContent {
  readonly pictures: readonly EditedPicture[];
  readonly values: readonly { readonly pictures: readonly EditedPicture[] }[];
  readonly variants: readonly { readonly pictures: readonly EditedPicture[] }[];
}

/** Paths of all pictures, once each, by the field that has them. */
export function listPicturePaths({ pictures, values, variants }: PicturedContent): ReadonlyMap<string, string[]> {
  return new Map([
    ['pictures', listPaths([pictures])],
    ['values', listPaths(values.map((value) => value.pictures))],
    ['variants', listPaths(variants.map((variant) => variant.pictures))],
  ]);
}

/** Paths of all pictures, once each. Chapters show some of them. */
export const listOwnPaths = (content: PicturedContent): readonly string[] => [
  ...new Set([...listPicturePaths(content).values()].flat()),
];

/** The content whose chapters have no pictures that were the product's before and no longer are. */
export function dropFormerPictures<Content extends PicturedContent & Pick<ProductContent, 'chapters'>>(
  content: Content,
  before: readonly PicturedContent[],
): Content {
  const own = new Set(listOwnPaths(content));
  const former = new Set(before.flatMap(listOwnPaths));
  return {
    ...content,
    chapters: mapPictures(content.chapters, (path) => (former.has(path) && !own.has(path) ? null : path)),
  };
}

/** A category with the ids of its properties and values. */
export interface EditedCategory {
  readonly properties: readonly { readonly values: readonly { readonly id: string }[] }[];
}

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

/** Variants with values that the product is offered with. Others are never sold again. */
export function selectOffered<Variant extends Pick<EditedVariant, 'value_ids'>>(
  values: readonly { readonly id: string }[],
  variants: readonly Variant[],
): readonly Variant[] {
  const offered = new Set(values.map(({ id }) => id));
  const sold = variants.filter(({ value_ids }) => value_ids.every((id) => offered.has(id)));
  const properties = Math.max(0, ...sold.map(({ value_ids }) => value_ids.length));
  return sold.filter(({ value_ids }) => value_ids.length === properties);
}

/** A variant without what staff do not edit. */
export const toEditedVariant = (variant: EditedVariant): EditedVariant => ({
  value_ids: variant.value_ids,
  own_price_usd: variant.own_price_usd,
  sku: variant.sku,
  gtin: variant.gtin,
  weight_grams: variant.weight_grams,
  pictures: variant.pictures,
  is_published: variant.is_published,
});

export const toPaths = (pictures: readonly EditedPicture[]): string[] => pictures.map(({ path }) => path);
