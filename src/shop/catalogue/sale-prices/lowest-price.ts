import type { Cents } from '#src/shop/money.ts';
import { createVariantKey } from '../products/variants.ts';
import { computePartsPrice, findRunning, reducePrices } from './sale-price.ts';
import type { PriceParts, SalePrice } from './sale-price.ts';

/** The days before a reduction whose lowest price is shown beside it (Directive 98/6/EC, article 6a). */
export const COMPARED_MS = 30 * 24 * 60 * 60 * 1000;

/** Normal prices from a moment until the next record. */
export interface PriceRecord {
  readonly recordedAt: Date;
  /** Null: the product was not on sale. */
  readonly prices: (PriceParts & { readonly unsold: ReadonlySet<string> }) | null;
}

export interface PriceHistory {
  /** Oldest first. */
  readonly records: readonly PriceRecord[];
  readonly salePrices: readonly SalePrice[];
}

/** The price offered at a moment, of a variant or, for null, the base price; null if it was not offered. */
function findOfferedPrice(
  { records, salePrices }: PriceHistory,
  at: Date,
  valueIds: readonly string[] | null,
): Cents | null {
  const prices = records.findLast(({ recordedAt }) => recordedAt <= at)?.prices ?? null;
  if (prices === null) return null;
  const running = findRunning(salePrices, at);
  const offered = running === null ? prices : reducePrices(prices, running.reduction);
  if (valueIds === null) return offered.basePriceCents;
  return prices.unsold.has(createVariantKey(valueIds)) ? null : computePartsPrice(offered, valueIds);
}

/**
 * The lowest price in the 30 days before a moment; null if it was not offered in them.
 * @param valueIds of the variant; null: the base price
 */
export function computeLowestPrice(
  history: PriceHistory,
  before: Date,
  valueIds: readonly string[] | null,
): Cents | null {
  const from = new Date(before.getTime() - COMPARED_MS);
  const changes = [
    ...history.records.map(({ recordedAt }) => recordedAt),
    ...history.salePrices.flatMap(({ startsAt, endsAt }) => (endsAt === null ? [startsAt] : [startsAt, endsAt])),
  ];
  // Prices only change at these moments.
  const moments = [from, ...changes.filter((at) => at > from && at < before)];
  let lowest: Cents | null = null;
  for (const at of moments) {
    const price = findOfferedPrice(history, at, valueIds);
    if (price !== null && (lowest === null || price < lowest)) lowest = price;
  }
  return lowest;
}
