import { formatUsd } from '#src/shop/format-number.ts';
import type { Cents } from '#src/shop/money.ts';
import { getSalePriceState, listRaisedParts } from './sale-price.ts';
import type { PriceParts, Reduction, SalePrice } from './sale-price.ts';

/** Messages by field of the request. */
export type SalePriceProblems = Readonly<Record<string, string>>;

/** Scheduled and running sale prices of one product. */
export const MAX_PRESENT = 20;
/** A form that says "now" may arrive a little later. */
const LATENESS_MS = 5 * 60 * 1000;

export interface SaleTimes {
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/**
 * The times of a new sale price, or what is wrong with them.
 * @param requested a missing start is now
 */
export function planTimes(
  requested: { readonly startsAt: Date | null; readonly endsAt: Date | null },
  now: Date,
): ({ readonly ok: true } & SaleTimes) | { readonly ok: false; readonly problems: SalePriceProblems } {
  const wanted = requested.startsAt ?? now;
  if (wanted.getTime() < now.getTime() - LATENESS_MS) {
    return { ok: false, problems: { starts_at: 'The start is in the past' } };
  }
  const startsAt = wanted < now ? now : wanted;
  if (requested.endsAt !== null && requested.endsAt <= startsAt) {
    return { ok: false, problems: { ends_at: 'The end must be after the start' } };
  }
  return { ok: true, startsAt, endsAt: requested.endsAt };
}

const formatLimit = (amount: Cents): string => `The sale price must be above zero and below ${formatUsd(amount)}`;

/** A price that the request names for a variant. */
interface NamedPrice {
  /** Of the variant. */
  readonly key: string;
}

/**
 * What is wrong with a reduction of these prices.
 * @param named variants in the order of the request; empty for a percentage
 */
export function findReductionProblems(
  normal: PriceParts,
  reduction: Reduction,
  named: readonly NamedPrice[] = [],
): SalePriceProblems {
  const problems: Record<string, string> = {};
  const field = reduction.kind === 'percent' ? 'percent' : 'price_usd';
  for (const { variantKey, normalCents } of listRaisedParts(normal, reduction)) {
    const at = named.findIndex(({ key }) => key === variantKey);
    problems[at === -1 ? field : `variant_prices.${at}.price_usd`] ??= formatLimit(normalCents);
  }
  for (const [at, { key }] of named.entries()) {
    if (!normal.ownPrices.has(key)) problems[`variant_prices.${at}`] = 'This variant has no price of its own';
    else if (named.findIndex((other) => other.key === key) !== at) problems[`variant_prices.${at}`] = 'Listed twice';
  }
  return problems;
}

/** A reduction in words, such as `$899.00` or `20%`. */
const describeReduction = (reduction: Reduction): string =>
  reduction.kind === 'percent' ? `${reduction.basisPoints / 100}%` : formatUsd(reduction.basePriceCents);

/**
 * The present or future sale price that would not be lower than these normal prices, with the
 * variants concerned; null if all are lower.
 */
export function findRaisedSalePrice(
  normal: PriceParts,
  salePrices: readonly SalePrice[],
  now: Date,
): { readonly salePrice: SalePrice; readonly variantKeys: readonly (string | null)[] } | null {
  for (const salePrice of salePrices) {
    if (getSalePriceState(salePrice, now) === 'ended') continue;
    const raised = listRaisedParts(normal, salePrice.reduction);
    if (raised.length > 0) return { salePrice, variantKeys: raised.map(({ variantKey }) => variantKey) };
  }
  return null;
}

/** Message beside a normal price that a sale price would not reduce. */
export const formatRaisedSalePrice = ({ reduction }: SalePrice): string =>
  `The sale price (${describeReduction(reduction)}) must stay below this price. Change or end the sale price first`;
