import { addCents, addSats, convertCentsToSats } from '#src/shop/money.ts';
import type { Cents, CentsPerBtc, Sats } from '#src/shop/money.ts';
import type { OfferedProperty } from './choose-values.ts';
import { createVariantKey } from './variants.ts';
import type { VariantExceptions } from './variants.ts';

interface PricedValue {
  readonly increaseCents: Cents;
}

/** Unit price in cents: base price plus the increases of the chosen values. */
export function computeUnitPriceCents(basePriceCents: Cents, chosen: readonly PricedValue[]): Cents {
  return addCents(basePriceCents, ...chosen.map(({ increaseCents }) => increaseCents));
}

/**
 * Unit price in sats: each part is rounded up to a payable amount, then added, so that the price is
 * the sum of the displayed parts.
 */
export function computeUnitPriceSats(basePriceCents: Cents, chosen: readonly PricedValue[], rate: CentsPerBtc): Sats {
  return addSats(
    convertCentsToSats(basePriceCents, rate),
    ...chosen.map(({ increaseCents }) => convertCentsToSats(increaseCents, rate)),
  );
}

/** What the prices of a product and its variants are computed from. */
export interface PricedProduct extends Pick<VariantExceptions<Cents>, 'ownPrices'> {
  readonly basePriceCents: Cents;
  readonly offered: readonly OfferedProperty[];
}
type OwnPrices = Pick<PricedProduct, 'basePriceCents' | 'ownPrices'>;

interface ChosenVariant {
  readonly values: readonly PricedValue[];
  readonly valueIds: readonly string[];
}

/** Unit price of a variant in cents: its own, or the base price plus increases. */
export const computeVariantPriceCents = (product: OwnPrices, { values, valueIds }: ChosenVariant): Cents =>
  product.ownPrices.get(createVariantKey(valueIds)) ?? computeUnitPriceCents(product.basePriceCents, values);

/** Unit price of a variant in sats. */
export function computeVariantPriceSats(
  product: OwnPrices,
  { values, valueIds }: ChosenVariant,
  rate: CentsPerBtc,
): Sats {
  const own = product.ownPrices.get(createVariantKey(valueIds));
  return own === undefined ? computeUnitPriceSats(product.basePriceCents, values, rate) : convertCentsToSats(own, rate);
}
