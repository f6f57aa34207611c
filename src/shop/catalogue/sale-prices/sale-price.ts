import { addCents, cents, divideNearest } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { computeReduction } from '#src/shop/price-reduction.ts';
import { createVariantKey } from '../products/variants.ts';

/** Everything that the prices of a product and its variants are computed from. */
export interface PriceParts {
  readonly basePriceCents: Cents;
  /** By value id. */
  readonly increases: ReadonlyMap<string, Cents>;
  /** Prices of variants that have one of their own, by variant key. */
  readonly ownPrices: ReadonlyMap<string, Cents>;
}

export type Reduction =
  /** Hundredths of a percent off every part of the price. */
  | { readonly kind: 'percent'; readonly basisPoints: number }
  /** Increases stay; variants with an own price are reduced if they have an own sale price. */
  | { readonly kind: 'amount'; readonly basePriceCents: Cents; readonly ownPrices: ReadonlyMap<string, Cents> };

export interface SalePrice {
  readonly id: string;
  readonly reduction: Reduction;
  /** Inclusive. */
  readonly startsAt: Date;
  /** Exclusive; null: until staff end it. */
  readonly endsAt: Date | null;
}

export type SalePriceState = 'scheduled' | 'running' | 'ended';

export function getSalePriceState(
  { startsAt, endsAt }: Pick<SalePrice, 'startsAt' | 'endsAt'>,
  now: Date,
): SalePriceState {
  if (endsAt !== null && endsAt <= now) return 'ended';
  return startsAt <= now ? 'running' : 'scheduled';
}

/** The sale price in force; sale prices of a product never overlap. */
export const findRunning = (salePrices: readonly SalePrice[], at: Date): SalePrice | null =>
  salePrices.find((salePrice) => getSalePriceState(salePrice, at) === 'running') ?? null;

const WHOLE = 10_000n;

/** An amount less a percentage, rounded to cents. */
export const takePercentOff = (amount: Cents, basisPoints: number): Cents =>
  cents(divideNearest(amount * (WHOLE - BigInt(basisPoints)), WHOLE));

function reduceOwnPrice(own: Cents, key: string, reduction: Reduction): Cents {
  if (reduction.kind === 'percent') return takePercentOff(own, reduction.basisPoints);
  return reduction.ownPrices.get(key) ?? own;
}

/** The base price while a sale price is in force. */
export const reduceBasePrice = (base: Cents, reduction: Reduction): Cents =>
  reduction.kind === 'percent' ? takePercentOff(base, reduction.basisPoints) : reduction.basePriceCents;

/** The prices while a sale price is in force. */
export function reducePrices(normal: PriceParts, reduction: Reduction): PriceParts {
  return {
    basePriceCents: reduceBasePrice(normal.basePriceCents, reduction),
    increases:
      reduction.kind === 'percent'
        ? new Map([...normal.increases].map(([id, amount]) => [id, takePercentOff(amount, reduction.basisPoints)]))
        : normal.increases,
    ownPrices: new Map([...normal.ownPrices].map(([key, own]) => [key, reduceOwnPrice(own, key, reduction)])),
  };
}

/** Price of a variant by its values; null if it is not offered with one of them. */
export function computePartsPrice(
  { basePriceCents, increases, ownPrices }: PriceParts,
  valueIds: readonly string[],
): Cents | null {
  const own = ownPrices.get(createVariantKey(valueIds));
  if (own !== undefined) return own;
  const added = valueIds.flatMap((id) => increases.get(id) ?? []);
  return added.length === valueIds.length ? addCents(basePriceCents, ...added) : null;
}

/** A part of a price that a reduction does not lower. `variantKey` is null for the base price. */
export interface RaisedPart {
  readonly variantKey: string | null;
  readonly normalCents: Cents;
}

const isLower = (amount: Cents, before: Cents): boolean => amount > 0n && amount < before;

/** Parts whose reduced price would not be above zero and below the normal one. */
export function listRaisedParts(normal: PriceParts, reduction: Reduction): readonly RaisedPart[] {
  const reduced = reducePrices(normal, reduction);
  const base = isLower(reduced.basePriceCents, normal.basePriceCents)
    ? []
    : [{ variantKey: null, normalCents: normal.basePriceCents }];
  const isReduced = (key: string): boolean => reduction.kind === 'percent' || reduction.ownPrices.has(key);
  const own = [...normal.ownPrices].flatMap(([variantKey, normalCents]) =>
    isReduced(variantKey) && !isLower(reduced.ownPrices.get(variantKey) ?? normalCents, normalCents)
      ? [{ variantKey, normalCents }]
      : [],
  );
  return [...base, ...own];
}

/** The largest reduction of a part of the price, in hundredths of a percent. */
export function computeLargestReduction(normal: PriceParts, reduction: Reduction): number {
  if (reduction.kind === 'percent') return reduction.basisPoints;
  const reduced = reducePrices(normal, reduction);
  const own = [...normal.ownPrices].map(([key, price]) => computeReduction(price, reduced.ownPrices.get(key) ?? price));
  return Math.max(computeReduction(normal.basePriceCents, reduced.basePriceCents), ...own);
}
