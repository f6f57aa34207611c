/** Splits the prices of variants into a base price, increases of values, and own prices. */
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

interface PricedVariant {
  readonly valueIds: readonly string[];
  readonly priceCents: Cents;
  /** Price and own price before the import; null for a new variant. */
  readonly present: { readonly priceCents: bigint; readonly ownPriceCents: Cents | null } | null;
}

export interface PriceSplit {
  readonly basePriceCents: Cents;
  /** By value id. */
  readonly increases: ReadonlyMap<string, Cents>;
  /** For each variant, in the order given; null: base price plus increases. */
  readonly ownPrices: readonly (Cents | null)[];
}

const lowest = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((least, amount) => (amount < least ? amount : least));

const computePrice = (base: bigint, increases: ReadonlyMap<string, Cents>, valueIds: readonly string[]): bigint =>
  valueIds.reduce((sum, id) => sum + (increases.get(id) ?? 0n), base);

/** Increases that give every price exactly; null if there are none. */
function findIncreases(variants: readonly PricedVariant[], base: bigint): ReadonlyMap<string, Cents> | null {
  const increases = new Map<string, Cents>();
  for (const { valueIds, priceCents } of variants) {
    const increase = cents(priceCents - base);
    for (const id of valueIds) {
      const known = increases.get(id);
      if (known === undefined || increase < known) increases.set(id, increase);
    }
  }
  const fits = variants.every(({ valueIds, priceCents }) => computePrice(base, increases, valueIds) === priceCents);
  return fits ? increases : null;
}

/**
 * A product of which some prices are still computed keeps base price and increases. Otherwise the base
 * is the lowest price, with increases if they give all prices, and else with own prices.
 * @param variants at least one
 */
export function choosePrices(
  variants: readonly PricedVariant[],
  present: Pick<PriceSplit, 'basePriceCents' | 'increases'> | null,
): PriceSplit {
  const split = (basePriceCents: Cents, increases: ReadonlyMap<string, Cents>): PriceSplit => ({
    basePriceCents,
    increases,
    ownPrices: variants.map((variant) => {
      const own = variant.present?.ownPriceCents ?? null;
      // An own price that did not change stays one, also if it equals the computed price.
      if (own !== null && own === variant.priceCents) return own;
      return variant.priceCents === computePrice(basePriceCents, increases, variant.valueIds)
        ? null
        : variant.priceCents;
    }),
  });
  if (present !== null) {
    const isUnchanged = variants.every((variant) => variant.present?.priceCents === variant.priceCents);
    const fitsAny = variants.some(
      ({ valueIds, priceCents }) => computePrice(present.basePriceCents, present.increases, valueIds) === priceCents,
    );
    if (isUnchanged || fitsAny) return split(present.basePriceCents, present.increases);
  }
  const base = cents(lowest(variants.map(({ priceCents }) => priceCents)));
  return split(base, findIncreases(variants, base) ?? new Map());
}
