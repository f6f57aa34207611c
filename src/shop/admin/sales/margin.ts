/** What goods with a known cost brought the shop. */
import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

/** Sums of units whose cost was known when they were ordered. */
export interface CostedUnits {
  readonly units: number;
  /** What they brought, without tax, delivery and what staff waived. */
  readonly goods: Cents;
  readonly cost: Cents;
}

/** The units of the whole that are not in its parts. Null if there are none. */
export function subtractCosted(whole: CostedUnits | null, parts: readonly (CostedUnits | null)[]): CostedUnits | null {
  if (whole === null) return null;
  const rest = parts.reduce<CostedUnits>(
    (left, part) =>
      part === null
        ? left
        : {
            units: left.units - part.units,
            goods: cents(left.goods - part.goods),
            cost: cents(left.cost - part.cost),
          },
    whole,
  );
  return rest.units === 0 ? null : rest;
}

/** As responses show it. */
export const showMargin = (costed: CostedUnits | null) =>
  costed && {
    units: costed.units,
    goods_usd: costed.goods,
    cost_usd: costed.cost,
    margin_usd: costed.goods - costed.cost,
  };
