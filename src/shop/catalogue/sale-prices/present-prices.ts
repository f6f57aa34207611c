import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import type { PricedProduct } from '../products/unit-price.ts';
import { findPriorPrice } from './prior-price.ts';
import type { PriceHistory } from './prior-price.ts';
import { computePartsPrice, findRunning, reducePrices } from './sale-price.ts';
import type { PriceParts, SalePrice } from './sale-price.ts';

/** Normal prices and sale prices of a product that has a present or future sale price. */
export interface Pricing extends PriceHistory {
  readonly normal: PricedProduct;
  /** In force; null between sale prices. */
  readonly running: SalePrice | null;
}

interface ProductWithPricing extends PricedProduct {
  readonly pricing?: Pricing;
}

const toParts = ({ basePriceCents, ownPrices, offered }: PricedProduct): PriceParts => ({
  basePriceCents,
  ownPrices,
  increases: new Map(
    offered.flatMap(({ values }) => values.map(({ id, increaseCents }) => [id, increaseCents] as const)),
  ),
});

/** The product at the prices of a moment; the same object if they are those that it has. */
export function applySalePrices<Product extends ProductWithPricing>(product: Product, at: Date): Product {
  const { pricing } = product;
  if (pricing === undefined) return product;
  const running = findRunning(pricing.salePrices, at);
  if (running?.id === pricing.running?.id) return product;
  const { normal } = pricing;
  if (running === null) return { ...product, ...normal, pricing: { ...pricing, running } };
  const { basePriceCents, ownPrices, increases } = reducePrices(toParts(normal), running.reduction);
  const offered = normal.offered.map((property) => ({
    ...property,
    values: property.values.map((value) => ({
      ...value,
      increaseCents: increases.get(value.id) ?? value.increaseCents,
    })),
  }));
  return { ...product, basePriceCents, ownPrices, offered, pricing: { ...pricing, running } };
}

/** A reduction as buyers see it beside the present price. */
export interface ShownReduction {
  /** Lowest price in the 30 days before the reduction, above the present one. */
  readonly priorCents: Cents;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/** The moment since which the present prices hold, as far as it is known. */
function findLastChange({ records }: Pricing, { startsAt }: SalePrice): Date {
  const recordedAt = records.at(-1)?.recordedAt;
  return recordedAt !== undefined && recordedAt > startsAt ? recordedAt : startsAt;
}

/**
 * The reduction of a variant or, for null, of the base price. Null without a sale price, and if no
 * higher price was asked in the 30 days before: a reduction may then not be announced.
 */
export function findReduction(product: ProductWithPricing, valueIds: readonly string[] | null): ShownReduction | null {
  const { pricing } = product;
  if (pricing === undefined || pricing.running === null) return null;
  const { normal, running } = pricing;
  const price = (of: PricedProduct): Cents =>
    valueIds === null ? of.basePriceCents : (computePartsPrice(toParts(of), valueIds) ?? cents(0n));
  const presentCents = price(product);
  if (presentCents >= price(normal)) return null;
  const priorCents = findPriorPrice(pricing, findLastChange(pricing, running), valueIds, presentCents);
  return priorCents === null ? null : { priorCents, startsAt: running.startsAt, endsAt: running.endsAt };
}

/** Time in which no sale price starts or ends: from inclusive, until exclusive, in ms since 1970. */
export interface SteadyTime {
  readonly from: number;
  readonly until: number;
}

export function findSteadyTime(salePrices: readonly SalePrice[], now: Date): SteadyTime {
  let [from, until] = [-Infinity, Infinity];
  for (const { startsAt, endsAt } of salePrices) {
    for (const at of endsAt === null ? [startsAt.getTime()] : [startsAt.getTime(), endsAt.getTime()]) {
      if (at <= now.getTime()) from = Math.max(from, at);
      else until = Math.min(until, at);
    }
  }
  return { from, until };
}
