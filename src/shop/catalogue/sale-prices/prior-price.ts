import type { Cents } from '#src/shop/money.ts';
import { createVariantKey } from '../products/variants.ts';
import { computePartsPrice, findRunning, reducePrices } from './sale-price.ts';
import type { PriceParts, SalePrice } from './sale-price.ts';

/** The days before a reduction whose lowest price is the prior price (Directive 98/6/EC, article 6a). */
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

/** The offer of a variant or, for null, of the base price, from a moment on. */
interface Offer {
  readonly at: Date;
  /** Null: it was not offered. */
  readonly priceCents: Cents | null;
  /** Whether a sale price was in force. */
  readonly isOnSale: boolean;
  /** Whether that sale price made it cheaper. */
  readonly isReduced: boolean;
}

function findOffer({ records, salePrices }: PriceHistory, at: Date, valueIds: readonly string[] | null): Offer {
  const running = findRunning(salePrices, at);
  const isOnSale = running !== null;
  const normal = records.findLast(({ recordedAt }) => recordedAt <= at)?.prices ?? null;
  const isSold = normal !== null && (valueIds === null || !normal.unsold.has(createVariantKey(valueIds)));
  if (!isSold) return { at, priceCents: null, isOnSale, isReduced: false };
  const computePrice = (parts: PriceParts): Cents | null =>
    valueIds === null ? parts.basePriceCents : computePartsPrice(parts, valueIds);
  const normalCents = computePrice(normal);
  const priceCents = running === null ? normalCents : computePrice(reducePrices(normal, running.reduction));
  return {
    at,
    priceCents,
    isOnSale,
    isReduced: priceCents !== null && normalCents !== null && priceCents < normalCents,
  };
}

/** Prices only change at these moments. Oldest first. */
function listMoments({ records, salePrices }: PriceHistory): readonly Date[] {
  return [
    ...records.map(({ recordedAt }) => recordedAt),
    ...salePrices.flatMap(({ startsAt, endsAt }) => (endsAt === null ? [startsAt] : [startsAt, endsAt])),
  ].toSorted((a, b) => a.getTime() - b.getTime());
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
  const moments = [from, ...listMoments(history).filter((at) => at > from && at < before)];
  let lowest: Cents | null = null;
  for (const at of moments) {
    const { priceCents } = findOffer(history, at, valueIds);
    if (priceCents !== null && (lowest === null || priceCents < lowest)) lowest = priceCents;
  }
  return lowest;
}

/**
 * When the reduction to a price began: the start of the first of the sale prices that followed each
 * other without a break and never became dearer. Times in which it was withdrawn do not interrupt them.
 */
function findReductionStart(offers: readonly Offer[], presentCents: Cents): Date | null {
  let start: Date | null = null;
  let laterCents = presentCents;
  for (const { at, priceCents, isOnSale, isReduced } of offers.toReversed()) {
    if (!isOnSale) break;
    if (priceCents === null) continue;
    if (!isReduced || priceCents < laterCents) break;
    [start, laterCents] = [at, priceCents];
  }
  return start;
}

/**
 * The price that a reduced price is compared with: the lowest of the 30 days before the reduction
 * began. Null if it was not offered in them, or not for more: there is no reduction to announce.
 * @param at moment of the present price
 * @param valueIds of the variant; null: the base price
 */
export function findPriorPrice(
  history: PriceHistory,
  at: Date,
  valueIds: readonly string[] | null,
  presentCents: Cents,
): Cents | null {
  const moments = listMoments(history).filter((moment) => moment <= at);
  const offers = moments.map((moment) => findOffer(history, moment, valueIds));
  // A price that was not asked yet, such as that of a draft, begins after the last one.
  const start = findReductionStart(offers, presentCents) ?? new Date(at.getTime() + 1);
  const lowest = computeLowestPrice(history, start, valueIds);
  return lowest !== null && lowest > presentCents ? lowest : null;
}
