/** Whether a change of prices or promotions needs the scope of prices, or a recent password. */

/** The scope with which an API key changes prices and promotions. */
const PRICE_SCOPE = 'prices:write';

/** A whole price, in hundredths of a percent. */
export const WHOLE_BASIS_POINTS = 10_000;

export interface PriceChange {
  /** A price is set or changed. */
  readonly isChanged: boolean;
  /** The largest reduction, in hundredths of a percent, rounded up. */
  readonly reducedBy: number;
}

export type PriceRefusal = 'reauth' | 'missing-scope';

interface PriceActor {
  /** When the password was last entered in the session. Without it: long ago. */
  readonly authenticatedAt?: Date | undefined;
  readonly apiKey?: { readonly hasScope: (scope: string) => boolean } | undefined;
}

/** Null if the actor may make the change now. API keys need the scope, people a recent password. */
export type PriceGuard = (by: PriceActor, change: PriceChange) => PriceRefusal | null;

/**
 * Why the actor may not make the change now; null if it may.
 * @param percent reductions of more than this need a recent password
 */
export function findPriceRefusal(
  { apiKey, isPasswordRecent }: Pick<PriceActor, 'apiKey'> & { readonly isPasswordRecent: boolean },
  { isChanged, reducedBy }: PriceChange,
  percent: number,
): PriceRefusal | null {
  if (apiKey !== undefined) return isChanged && !apiKey.hasScope(PRICE_SCOPE) ? 'missing-scope' : null;
  return reducedBy > percent * 100 && !isPasswordRecent ? 'reauth' : null;
}

/** How much lower an amount is, in hundredths of a percent, rounded up. 0 if it is not lower. */
export function computeReduction(before: bigint, after: bigint): number {
  if (before <= 0n || after >= before) return 0;
  const whole = BigInt(WHOLE_BASIS_POINTS);
  return Number(((before - after) * whole + before - 1n) / before);
}

/**
 * Compares the prices of variants by their keys. A new variant is compared with the lowest price before.
 * @param before empty for a new product
 */
export function comparePrices(before: ReadonlyMap<string, bigint>, after: ReadonlyMap<string, bigint>): PriceChange {
  let lowest: bigint | null = null;
  for (const price of before.values()) if (lowest === null || price < lowest) lowest = price;
  let isChanged = false;
  let reducedBy = 0;
  for (const [key, price] of after) {
    const former = before.get(key);
    isChanged ||= former !== price;
    reducedBy = Math.max(reducedBy, computeReduction(former ?? lowest ?? 0n, price));
  }
  return { isChanged, reducedBy };
}
