import type { Db } from '#src/platform/database/database.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { CatalogueProduct } from './build-catalogue-data.ts';
import type { ListedProduct, Product } from './contract.ts';
import { encodeMatchingVariant } from './encoding.service.ts';
import type { FeedVariant } from './feed-variant.ts';
import type { ProductFilter } from './filters/filter-products.ts';
import { chooseMatchingVariant, selectsVariants } from './filters/matching-variant.ts';
import { listCardColors, offersColors } from './products/card-colors.ts';
import { isPriceFrom, listPricedVariants } from './products/lowest-price.ts';
import type { PricedVariant } from './products/lowest-price.ts';
import { chooseVariant, createVariantKey } from './products/variants.ts';
import { listFeedVariants } from './variants.store.ts';

/** Maximum of cached products, so that a crawler cannot fill the memory. */
const MAX_PRODUCTS = 10_000;

type StoredVariant = Pick<FeedVariant, 'valueIds' | 'sku' | 'images' | 'isAvailable'>;

interface EncodedProduct {
  readonly entry: CatalogueProduct;
  readonly encoded: Product;
}

/** Whether a card without a variant has the price of this one: it is chosen first, and none is cheaper. */
function isShownWithout(entry: CatalogueProduct, { valueIds }: PricedVariant): boolean {
  const first = chooseVariant(entry);
  return first.ok && createVariantKey(first.valueIds) === createVariantKey(valueIds) && !isPriceFrom(entry);
}

/** The variants that are sold with the values that the product is offered with, by key and in display order. */
function indexSold(entry: CatalogueProduct, variants: readonly StoredVariant[]): ReadonlyMap<string, StoredVariant> {
  const sold = new Set(listPricedVariants(entry).map(({ valueIds }) => createVariantKey(valueIds)));
  return new Map(
    variants.map((variant) => [createVariantKey(variant.valueIds), variant] as const).filter(([key]) => sold.has(key)),
  );
}

interface ShownVariant {
  readonly variant: PricedVariant;
  readonly stored: StoredVariant;
  /** All that are sold, in display order. */
  readonly sold: readonly StoredVariant[];
}

/** The variant that a card means. Null if it was withdrawn a moment ago. */
function findShown(
  entry: CatalogueProduct,
  filter: ProductFilter,
  variants: readonly StoredVariant[],
): ShownVariant | null {
  const byKey = indexSold(entry, variants);
  const find = (valueIds: readonly string[]): StoredVariant | undefined => byKey.get(createVariantKey(valueIds));
  const variant = chooseMatchingVariant(entry, filter, (valueIds) => find(valueIds)?.isAvailable === true);
  const stored = variant === null ? undefined : find(variant.valueIds);
  return variant === null || stored === undefined ? null : { variant, stored, sold: [...byKey.values()] };
}

/** Without a filter, no variant if that is the cheapest and the first one, which the page of the product shows. */
function addVariant(
  { entry, encoded }: EncodedProduct,
  filter: ProductFilter,
  { variant, stored }: ShownVariant,
  rate: CentsPerBtc | null,
): Product & Pick<ListedProduct, 'matching_variant'> {
  if (!selectsVariants(filter) && isShownWithout(entry, variant)) return encoded;
  return { ...encoded, matching_variant: encodeMatchingVariant(entry, variant, stored, rate) };
}

/** Adds the variant whose price, link and button a card has, wherever it is shown. */
export function addShownVariant(
  one: EncodedProduct,
  variants: readonly StoredVariant[],
  rate: CentsPerBtc | null,
): Product & Pick<ListedProduct, 'matching_variant'> {
  const shown = findShown(one.entry, {}, variants);
  return shown === null ? one.encoded : addVariant(one, {}, shown, rate);
}

/** Adds that variant and the colours of the card. */
function addShownOfCard(
  one: EncodedProduct,
  filter: ProductFilter,
  variants: readonly StoredVariant[],
  rate: CentsPerBtc | null,
): ListedProduct {
  const shown = findShown(one.entry, filter, variants);
  if (shown === null) return one.encoded;
  const { sold, variant } = shown;
  const colors = listCardColors(one.entry.offered, variant.valueIds, sold, selectsVariants(filter));
  const listed = addVariant(one, filter, shown, rate);
  return colors === null ? listed : { ...listed, colors: [...colors.colors], color_count: colors.count };
}

/** SKU and availability of variants, read when a filtered list first shows their product. */
export class ShownVariants {
  readonly #db: Db;
  readonly #cached = new Map<string, readonly FeedVariant[]>();
  /** Increases with every change, so that a read that began before it is not cached. */
  #changes = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Adds to products of a list the variant that a card means, if the filter selects variants, or if the first variant
   * is not the cheapest one or may be sold out; and the colours of a card.
   */
  async addMatching(
    listed: readonly EncodedProduct[],
    filter: ProductFilter,
    rate: CentsPerBtc | null,
  ): Promise<readonly ListedProduct[]> {
    const isSelecting = selectsVariants(filter);
    const hasVariant = ({ entry }: EncodedProduct): boolean =>
      isSelecting
        ? listPricedVariants(entry).length > 1
        : isPriceFrom(entry) || (entry.hasSoldOutVariant && !entry.isSoldOut) || offersColors(entry.offered);
    const ids = listed.filter(hasVariant).map(({ entry }) => entry.id);
    const read = ids.length === 0 ? null : await this.#read(ids);
    return listed.map((one) => {
      const variants = read?.get(one.entry.id);
      return variants === undefined ? one.encoded : addShownOfCard(one, filter, variants, rate);
    });
  }

  /** For each of these variants that is sold, its product with it as the variant that the card means. */
  async listVariants(
    listed: readonly EncodedProduct[],
    skus: readonly string[],
    rate: CentsPerBtc | null,
  ): Promise<readonly ListedProduct[]> {
    const read = await this.#read(listed.map(({ entry }) => entry.id));
    return listed.flatMap(({ entry, encoded }) => {
      const byKey = indexSold(entry, read.get(entry.id) ?? []);
      return listPricedVariants(entry).flatMap((variant) => {
        const stored = byKey.get(createVariantKey(variant.valueIds));
        if (stored === undefined || !skus.includes(stored.sku)) return [];
        return [{ ...encoded, matching_variant: encodeMatchingVariant(entry, variant, stored, rate) }];
      });
    });
  }

  /** The published variants of these products, by product id. */
  async #read(productIds: readonly string[]): Promise<ReadonlyMap<string, readonly FeedVariant[]>> {
    const missing = productIds.filter((id) => !this.#cached.has(id));
    const changes = this.#changes;
    const read = missing.length === 0 ? new Map<string, never>() : await listFeedVariants(this.#db, missing);
    const found = new Map(productIds.map((id) => [id, this.#cached.get(id) ?? read.get(id) ?? []] as const));
    if (changes === this.#changes) for (const id of missing) this.#keep(id, found.get(id) ?? []);
    return found;
  }

  #keep(id: string, variants: readonly FeedVariant[]): void {
    const [oldest] = this.#cached.keys();
    if (this.#cached.size >= MAX_PRODUCTS && oldest !== undefined) this.#cached.delete(oldest);
    this.#cached.set(id, variants);
  }

  deleteProducts(ids: Iterable<string>): void {
    this.#changes += 1;
    for (const id of ids) this.#cached.delete(id);
  }

  clear(): void {
    this.#changes += 1;
    this.#cached.clear();
  }
}
