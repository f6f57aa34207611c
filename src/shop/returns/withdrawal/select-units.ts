import type { UnitsLeft } from './find-problem.ts';

export interface ChosenUnits {
  readonly position: number;
  readonly quantity: number;
}

export interface SelectedUnits extends ChosenUnits {
  /** Of the quantity: not shipped, and stopped. */
  readonly cancelled: number;
}

/**
 * The units that a withdrawal takes, by position. Units that were not shipped come first: they need not travel.
 * @param chosen null: everything that is left. What is not left any more is left out
 */
export function selectUnits(
  left: readonly UnitsLeft[],
  chosen: readonly ChosenUnits[] | null,
): readonly SelectedUnits[] {
  return left
    .map(({ position, shipped, unshipped }) => {
      const wanted = chosen?.find((one) => one.position === position)?.quantity ?? 0;
      const quantity = chosen === null ? shipped + unshipped : Math.min(wanted, shipped + unshipped);
      return { position, quantity, cancelled: Math.min(quantity, unshipped) };
    })
    .filter(({ quantity }) => quantity > 0)
    .toSorted((a, b) => a.position - b.position);
}
