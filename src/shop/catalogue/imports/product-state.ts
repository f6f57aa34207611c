import type { Cents } from '#src/shop/money.ts';
import { createVariantKey } from '../products/variants.ts';
import type { TaxClass } from '#src/shop/tax/tax-class.ts';

/** A product with its variants as stored, for exports and imports. */
export interface ProductState {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly article: string;
  readonly brandId: string;
  readonly categoryId: string;
  readonly basePriceCents: Cents;
  readonly description: string;
  readonly subDescription: string;
  readonly taxClass: TaxClass;
  /** Of one unit of each variant without its own; null: unknown. */
  readonly weightGrams: number | null;
  readonly specifications: Readonly<Record<string, string>>;
  readonly images: readonly string[];
  readonly mainImage: string;
  /** Alternative texts by path. */
  readonly pictureAlts: Readonly<Record<string, string>>;
  readonly position: number;
  readonly isPublished: boolean;
  /** The values that it is offered with. */
  readonly values: readonly ValueState[];
  readonly variants: readonly VariantState[];
}

export interface ValueState {
  readonly valueId: string;
  readonly increaseCents: Cents;
  readonly images: readonly string[];
}

export interface VariantState {
  readonly id: string;
  /** Sorted. */
  readonly valueIds: readonly string[];
  /** Null: the base price plus the increases of its values. */
  readonly ownPriceCents: Cents | null;
  readonly sku: string;
  readonly gtin: string | null;
  /** Of one unit; null: that of the product. */
  readonly weightGrams: number | null;
  readonly images: readonly string[];
  readonly isPublished: boolean;
  readonly position: number;
  /** Null: not tracked. */
  readonly available: number | null;
}

/** A product of the present catalogue. */
export interface PresentProduct extends ProductState {
  readonly revision: bigint;
  readonly version: number;
  /** Whether it has saved changes that buyers do not see. */
  readonly hasDraft: boolean;
  /** Whether its description is Markdown, which another text replaces. */
  readonly hasMarkdown: boolean;
}

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** Brands, categories, properties and values, each sorted by position, then id. */
export interface Structure {
  readonly brands: readonly Named[];
  readonly categories: readonly Named[];
  readonly properties: readonly { readonly id: string; readonly categoryId: string; readonly name: string }[];
  readonly values: readonly { readonly id: string; readonly propertyId: string; readonly value: string }[];
}

export const createPriceOf =
  ({ basePriceCents, values }: Pick<ProductState, 'basePriceCents' | 'values'>) =>
  /** Base price plus increases. */
  (valueIds: readonly string[]): bigint => {
    let price: bigint = basePriceCents;
    for (const { valueId, increaseCents } of values) if (valueIds.includes(valueId)) price += increaseCents;
    return price;
  };

/** Base price and increases by value id. */
export const listPriceParts = ({ basePriceCents, values }: Pick<ProductState, 'basePriceCents' | 'values'>) => ({
  basePriceCents,
  increases: new Map(values.map(({ valueId, increaseCents }) => [valueId, increaseCents])),
});

/** The normal prices of all variants by their keys. */
export function listVariantPrices(
  product: Pick<ProductState, 'basePriceCents' | 'values' | 'variants'>,
): ReadonlyMap<string, bigint> {
  const priceOf = createPriceOf(product);
  return new Map(
    product.variants.map(({ valueIds, ownPriceCents }) => [
      createVariantKey(valueIds),
      ownPriceCents ?? priceOf(valueIds),
    ]),
  );
}

/** The order in which variants are exported. */
export const compareVariants = (a: VariantState, b: VariantState): number =>
  a.position - b.position || Number(a.sku > b.sku) - Number(a.sku < b.sku);
