import { cents } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';

/**
 * Divides a total among parts in proportion to their weights, to the cent: each part gets its exact
 * share rounded down, and the cents that remain go to the largest fractions, the first part first.
 * All weights 0: every part gets 0, so the total must be 0.
 */
export function allocate(total: Cents, weights: readonly Cents[]): Cents[] {
  const sum = weights.reduce<bigint>((all, weight) => all + weight, 0n);
  if (sum === 0n) {
    if (total !== 0n) throw new RangeError('an amount has no part to go to');
    return weights.map(() => cents(0n));
  }
  const parts = weights.map((weight, index) => ({
    index,
    share: (total * weight) / sum,
    rest: (total * weight) % sum,
  }));
  const remaining = total - parts.reduce((all, { share }) => all + share, 0n);
  const raised = new Set(
    parts
      .toSorted((a, b) => Number(b.rest > a.rest) - Number(b.rest < a.rest) || a.index - b.index)
      .slice(0, Number(remaining))
      .map(({ index }) => index),
  );
  return parts.map(({ index, share }) => cents(raised.has(index) ? share + 1n : share));
}
