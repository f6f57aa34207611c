import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { OfferedProperty, OfferedValue } from './choose-values.ts';
import { computeVariantPriceCents, computeVariantPriceSats } from './unit-price.ts';
import type { PricedProduct } from './unit-price.ts';
import { chooseVariant, createVariantKey } from './variants.ts';
import type { VariantExceptions } from './variants.ts';

interface SoldProduct extends PricedProduct, VariantExceptions<Cents> {}

export interface PricedVariant {
  /** One value of each property, in the order of the properties. */
  readonly values: readonly OfferedValue[];
  /** Sorted. */
  readonly valueIds: readonly string[];
}

const toVariant = (values: readonly OfferedValue[]): PricedVariant => ({
  values,
  valueIds: values.map(({ id }) => id).toSorted(),
});

/** Products that offer the same share the list. */
const combinationsOf = new WeakMap<readonly OfferedProperty[], readonly PricedVariant[]>();

function listVariants(offered: readonly OfferedProperty[]): readonly PricedVariant[] {
  const before = combinationsOf.get(offered);
  if (before !== undefined) return before;
  let combinations: readonly (readonly OfferedValue[])[] = [[]];
  for (const { values } of offered) {
    combinations = combinations.flatMap((combination) => values.map((value) => [...combination, value]));
  }
  const variants = combinations.map(toVariant);
  combinationsOf.set(offered, variants);
  return variants;
}

/** The variants that are sold, in display order; the first combination if none is. */
export function listPricedVariants({ offered, unsold }: SoldProduct): readonly PricedVariant[] {
  const variants = listVariants(offered);
  if (unsold.size === 0) return variants;
  const sold = variants.filter(({ valueIds }) => !unsold.has(createVariantKey(valueIds)));
  return sold.length > 0 ? sold : variants.slice(0, 1);
}

const findSmallest = ([first, ...others]: readonly OfferedValue[]): readonly OfferedValue[] =>
  first === undefined
    ? []
    : [others.reduce((least, value) => (value.increaseCents < least.increaseCents ? value : least), first)];

/** The cheapest variant that is sold; the first one in display order if several are. */
export function findCheapestVariant(product: SoldProduct): PricedVariant {
  const { offered, unsold, ownPrices } = product;
  if (unsold.size === 0 && ownPrices.size === 0)
    return toVariant(offered.flatMap(({ values }) => findSmallest(values)));
  const [first = toVariant([]), ...others] = listPricedVariants(product);
  const priceOf = (variant: PricedVariant): Cents => computeVariantPriceCents(product, variant);
  return others.reduce((least, variant) => (priceOf(variant) < priceOf(least) ? variant : least), first);
}

/** Price of the cheapest variant that is sold: what cards show and lists are sorted by. */
export const computeLowestPriceCents = (product: SoldProduct): Cents =>
  computeVariantPriceCents(product, findCheapestVariant(product));

/** The same in satoshis, as that variant is charged. */
export const computeLowestPriceSats = (product: SoldProduct, rate: CentsPerBtc): Sats =>
  computeVariantPriceSats(product, findCheapestVariant(product), rate);

/** Whether the variant that is chosen first costs more than the cheapest one. */
export function isPriceFrom(product: SoldProduct): boolean {
  const first = chooseVariant(product);
  return first.ok && computeVariantPriceCents(product, first) > computeLowestPriceCents(product);
}

export interface StartingPrice {
  readonly cents: Cents;
  /** Null without a rate. */
  readonly sats: Sats | null;
}

/** The lowest price of several products. Null without products. */
export function findStartingPrice(products: readonly SoldProduct[], rate: CentsPerBtc | null): StartingPrice | null {
  const priced = products.map((product) => ({ product, lowest: computeLowestPriceCents(product) }));
  const [first, ...others] = priced;
  if (first === undefined) return null;
  const { product, lowest } = others.reduce((least, one) => (one.lowest < least.lowest ? one : least), first);
  return { cents: lowest, sats: rate === null ? null : computeLowestPriceSats(product, rate) };
}
