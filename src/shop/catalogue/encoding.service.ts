/** Products and categories in the form of the contract. */
import { z } from 'zod';
import { convertCentsToSats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { CatalogueCategory, CatalogueData, CatalogueProduct } from './build-catalogue-data.ts';
import { amounts, brand, category, filterOptions, matchingVariant, product, productVariant } from './contract.ts';
import type { Brand, Category, FilterOptions, ListedProduct, Product, ProductCard } from './contract.ts';
import { keepPictures } from './chapters/chapters.ts';
import { pickPublicFields } from './editing/product-fields.ts';
import type { OptionCounts } from './filters/count-options.ts';
import { nameVariant } from './filters/matching-variant.ts';
import type { FeedVariant } from './feed-variant.ts';
import { selectPictures } from './pictures/select-pictures.ts';
import { chooseValues } from './products/choose-values.ts';
import type { PricedVariant } from './products/lowest-price.ts';
import {
  computeLowestPriceCents,
  computeLowestPriceSats,
  findCheapestVariant,
  isPriceFrom,
  listPricedVariants,
} from './products/lowest-price.ts';
import { computeVariantPriceCents, computeVariantPriceSats } from './products/unit-price.ts';
import { findReduction } from './sale-prices/present-prices.ts';
import type { ShownReduction } from './sale-prices/present-prices.ts';
import type { ShownDetail } from './product-detail.store.ts';

/** Converts catalogue amounts to satoshis; null while no rate is available. */
type SatsConverter = (amount: Cents) => Sats | null;

export const createConverter = (rate: CentsPerBtc | null): SatsConverter =>
  rate === null ? () => null : (amount) => convertCentsToSats(amount, rate);

const describeReduction = (reduction: ShownReduction | null) => ({
  was_price_usd: reduction?.priorCents ?? null,
  lowest_price_30_days_usd: reduction?.priorCents ?? null,
});

/** The reduction of the cheapest variant, and the end of the sale price if it reduces any variant. */
function describeSale(source: CatalogueProduct) {
  if (source.pricing === undefined) return { ...describeReduction(null), sale_ends_at: null };
  const reduction = findReduction(source, findCheapestVariant(source).valueIds);
  const isAnyReduced =
    reduction !== null || listPricedVariants(source).some(({ valueIds }) => findReduction(source, valueIds) !== null);
  return {
    ...describeReduction(reduction),
    sale_ends_at: isAnyReduced ? (source.pricing.running?.endsAt ?? null) : null,
  };
}

export function encodeProduct(source: CatalogueProduct, rate: CentsPerBtc | null): Product {
  return z.encode(product, {
    id: source.id,
    ...pickPublicFields(source),
    category_id: source.category.id,
    brand_id: source.brand.id,
    base_price_in_usd: source.basePriceCents,
    base_price_in_btc: createConverter(rate)(source.basePriceCents),
    lowest_price_usd: computeLowestPriceCents(source),
    lowest_price_btc: rate === null ? null : computeLowestPriceSats(source, rate),
    is_price_from: isPriceFrom(source),
    is_sold_out: source.isSoldOut,
    ...describeSale(source),
    sold_units: source.soldUnits,
    sub_description: source.subDescription,
    specifications: { ...source.specifications },
    images: [...source.images],
    main_image: source.mainImage,
    selected_property_values: source.offered.flatMap(({ values }) => values.map(({ id }) => id)),
    category_name: source.category.name,
  });
}

/** A variant that a card of a filtered list shows. */
export function encodeMatchingVariant(
  source: CatalogueProduct,
  variant: PricedVariant,
  { sku, images, isAvailable }: Pick<FeedVariant, 'sku' | 'images' | 'isAvailable'>,
  rate: CentsPerBtc | null,
): NonNullable<ListedProduct['matching_variant']> {
  const { valueIds } = variant;
  const pictures = selectPictures(source.images, source.valueImages, valueIds);
  return z.encode(matchingVariant, {
    property_value_ids: [...valueIds],
    name: nameVariant(source, variant),
    sku,
    price_usd: computeVariantPriceCents(source, variant),
    price_btc: rate === null ? null : computeVariantPriceSats(source, variant, rate),
    was_price_usd: findReduction(source, valueIds)?.priorCents ?? null,
    image: images[0] ?? (pictures === source.images ? null : (pictures[0] ?? null)),
    is_available: isAvailable,
  });
}

/** Only what a card shows. */
export const toProductCard = (encoded: ListedProduct): ProductCard => ({
  id: encoded.id,
  name: encoded.name,
  slug: encoded.slug,
  sub_description: encoded.sub_description,
  main_image: encoded.main_image,
  base_price_in_usd: encoded.base_price_in_usd,
  base_price_in_btc: encoded.base_price_in_btc,
  was_price_usd: encoded.was_price_usd,
  lowest_price_30_days_usd: encoded.lowest_price_30_days_usd,
  sale_ends_at: encoded.sale_ends_at,
  lowest_price_usd: encoded.lowest_price_usd,
  lowest_price_btc: encoded.lowest_price_btc,
  is_price_from: encoded.is_price_from,
  is_sold_out: encoded.is_sold_out,
  energy_label: encoded.energy_label,
  ...(encoded.matching_variant && { matching_variant: encoded.matching_variant }),
  ...(encoded.colors && { colors: encoded.colors, color_count: encoded.color_count }),
});

/** Filled lines, each once. */
const listThings = (text: string): string[] => [...new Set(text.split(/\r?\n/).flatMap((line) => line.trim() || []))];

const listOwnPictures = (
  { images, valueImages }: CatalogueProduct,
  variants: ShownDetail['variants'],
): ReadonlySet<string> => new Set([images, ...Object.values(valueImages), ...variants.map((one) => one.images)].flat());

/** What a product page shows besides the fields of every product. */
export function encodeDetail(
  source: CatalogueProduct,
  { variants, elements, safety, inTheBox, chapters }: ShownDetail,
  rate: CentsPerBtc | null,
) {
  const exchange = createConverter(rate);
  const values = source.offered.flatMap((property) => property.values);
  return {
    variants: variants.flatMap(({ valueIds, sku, gtin, images, isAvailable }) => {
      const choice = chooseValues(source.offered, valueIds);
      // A combination of former values.
      if (!choice.ok || choice.valueIds.length !== valueIds.length) return [];
      const shown = {
        property_value_ids: [...valueIds],
        sku,
        gtin,
        price_usd: computeVariantPriceCents(source, choice),
        price_btc: rate === null ? null : computeVariantPriceSats(source, choice, rate),
        ...describeReduction(findReduction(source, valueIds)),
        images: [...images],
        is_available: isAvailable,
      };
      return [z.encode(productVariant, shown)];
    }),
    value_increases: Object.fromEntries(
      values.map(({ id, increaseCents }) => [
        id,
        z.encode(amounts, { usd: increaseCents, btc: exchange(increaseCents) }),
      ]),
    ),
    description_elements: elements && [...elements],
    safety,
    in_the_box: listThings(inTheBox),
    chapters: keepPictures(chapters, listOwnPictures(source, variants)),
    picture_alts: { ...source.pictureAlts },
    value_images: Object.fromEntries(Object.entries(source.valueImages).map(([id, images]) => [id, [...images]])),
  };
}

export function encodeCategory(source: CatalogueCategory, exchange: SatsConverter): Category {
  return z.encode(category, {
    id: source.id,
    name: source.name,
    slug: source.slug,
    properties: source.properties.map(({ id, name, values }) => ({
      id,
      name,
      values: values.map((value) => ({
        id: value.id,
        value: value.value,
        price_in_usd_increase: value.increaseCents,
        price_in_btc_increase: exchange(value.increaseCents),
      })),
    })),
  });
}

export const encodeBrand = ({ id, name }: CatalogueData['brands'][number]): Brand => z.encode(brand, { id, name });

export function encodeFilterOptions(
  { categories, brands }: Pick<CatalogueData, 'categories' | 'brands'>,
  counts: OptionCounts,
  total: number,
): FilterOptions {
  const { prices } = counts;
  return z.encode(filterOptions, {
    total,
    prices: prices && { minimum: prices.minimumCents, maximum: prices.maximumCents },
    categories: categories.map(({ id, slug, name }) => ({ id, slug, name, count: counts.categories.get(id) ?? 0 })),
    brands: brands.map(({ id, slug, name }) => ({ id, slug, name, count: counts.brands.get(id) ?? 0 })),
    properties: categories.flatMap((entry) =>
      entry.properties.map(({ id, name, values }) => ({
        id,
        category_id: entry.id,
        name,
        values: values.map((of) => ({ id: of.id, value: of.value, count: counts.values.get(of.id) ?? 0 })),
      })),
    ),
  });
}
