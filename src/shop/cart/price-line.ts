import type { CheckoutProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import type { EnergyClass } from '#src/shop/catalogue/compliance/energy-label.ts';
import { selectPictures } from '#src/shop/catalogue/pictures/select-pictures.ts';
import { computeVariantPriceCents, computeVariantPriceSats } from '#src/shop/catalogue/products/unit-price.ts';
import { findReduction } from '#src/shop/catalogue/sale-prices/present-prices.ts';
import type { ShownReduction } from '#src/shop/catalogue/sale-prices/present-prices.ts';
import { chooseVariant } from '#src/shop/catalogue/products/variants.ts';
import { NO_SATS } from '#src/shop/money.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { ChargedLine } from './price-charges.ts';
import type { PriceableLine } from './price-cart.ts';

interface ChosenValue {
  readonly id: string;
  /** Name of the property. */
  readonly property: string;
  readonly value: string;
}

export interface PricedLine extends PriceableLine, Pick<ChargedLine, 'taxClass' | 'weightGrams'> {
  readonly productId: string;
  readonly name: string;
  readonly slug: string;
  readonly subDescription: string;
  /** Of the energy label; absent without one. */
  readonly energyClass?: EnergyClass;
  readonly mainImage: string;
  /** In the order of the properties. */
  readonly propertyValues: readonly ChosenValue[];
  /** Sorted, as stored. */
  readonly valueIds: readonly string[];
  /** Null if the variant is not known any more. */
  readonly variantId: string | null;
  readonly sku: string | null;
  /** Absent without a sale price in force. */
  readonly reduction?: ShownReduction;
  /** Stock of the variant; null if it is not tracked. */
  readonly available: number | null;
}

/** A variant on sale. */
interface VariantOnSale {
  readonly id: string;
  readonly sku: string;
  /** Its own; absent: that of the product. */
  readonly weightGrams?: number | null;
  /** Units in stock; null if the stock is not tracked. */
  readonly available: number | null;
}

/** Finds a variant on sale by its product and its sorted value ids. */
export type FindVariant = (productId: string, valueIds: readonly string[]) => VariantOnSale | undefined;

/**
 * Prices a stored line at current prices. Null if the product is not on sale with all of the
 * values. Without a rate there is no price in bitcoin.
 */
export function priceLine(
  line: { readonly valueIds: readonly string[]; readonly quantity: number },
  product: CheckoutProduct | undefined,
  findVariant: FindVariant,
  rate: CentsPerBtc | null,
): PricedLine | null {
  if (!product) return null;
  const choice = chooseVariant(product, line.valueIds);
  const variant = choice.ok ? findVariant(product.id, choice.valueIds) : undefined;
  if (!choice.ok || !variant) return null;
  const findPropertyName = (id: string): string =>
    product.offered.find(({ values }) => values.some((value) => value.id === id))?.name ?? '';
  const reduction = findReduction(product, choice.valueIds);
  const weightGrams = variant.weightGrams ?? product.weightGrams;
  return {
    productId: product.id,
    name: product.name,
    slug: product.slug,
    subDescription: product.subDescription,
    ...(product.energy_label && { energyClass: product.energy_label.class }),
    mainImage: selectPictures([product.mainImage], product.valueImages, line.valueIds)[0] ?? product.mainImage,
    propertyValues: choice.values.map(({ id, value }) => ({ id, property: findPropertyName(id), value })),
    valueIds: line.valueIds,
    variantId: variant.id,
    sku: variant.sku,
    available: variant.available,
    quantity: line.quantity,
    priceCents: computeVariantPriceCents(product, choice),
    priceSats: rate === null ? NO_SATS : computeVariantPriceSats(product, choice, rate),
    isFree: false,
    ...(reduction === null ? {} : { reduction }),
    ...(product.taxClass === undefined ? {} : { taxClass: product.taxClass }),
    ...(weightGrams === undefined ? {} : { weightGrams }),
  };
}
