import type { CatalogueProduct } from '#src/shop/catalogue/build-catalogue-data.ts';
import { chooseValues } from '#src/shop/catalogue/products/choose-values.ts';
import { selectPictures } from '#src/shop/catalogue/pictures/select-pictures.ts';
import { computeUnitPriceCents, computeUnitPriceSats } from '#src/shop/catalogue/products/unit-price.ts';
import { NO_SATS } from '#src/shop/money.ts';
import type { CentsPerBtc } from '#src/shop/money.ts';
import type { PriceableLine } from './price-cart.ts';

interface ChosenValue {
  readonly id: string;
  /** Name of the property. */
  readonly property: string;
  readonly value: string;
}

export interface PricedLine extends PriceableLine {
  readonly productId: string;
  readonly name: string;
  readonly slug: string;
  readonly subDescription: string;
  readonly mainImage: string;
  /** In the order of the properties. */
  readonly propertyValues: readonly ChosenValue[];
  /** Sorted, as stored. */
  readonly valueIds: readonly string[];
}

/**
 * Prices a stored line at current prices. Null if the product is not on sale with all of the
 * values. Without a rate there is no price in bitcoin.
 */
export function priceLine(
  line: { readonly valueIds: readonly string[]; readonly quantity: number },
  product: CatalogueProduct | undefined,
  rate: CentsPerBtc | null,
): PricedLine | null {
  if (!product) return null;
  const choice = chooseValues(product.offered, line.valueIds);
  if (!choice.ok) return null;
  const findPropertyName = (id: string): string =>
    product.offered.find(({ values }) => values.some((value) => value.id === id))?.name ?? '';
  return {
    productId: product.id,
    name: product.name,
    slug: product.slug,
    subDescription: product.subDescription,
    mainImage: selectPictures([product.mainImage], product.valueImages, line.valueIds)[0] ?? product.mainImage,
    propertyValues: choice.values.map(({ id, value }) => ({ id, property: findPropertyName(id), value })),
    valueIds: line.valueIds,
    quantity: line.quantity,
    priceCents: computeUnitPriceCents(product.basePriceCents, choice.values),
    priceSats: rate === null ? NO_SATS : computeUnitPriceSats(product.basePriceCents, choice.values, rate),
    isFree: false,
  };
}
