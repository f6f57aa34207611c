/** Smaller moves of the rate, in thousandths of a percent, do not change the shown prices. */
const MIN_CHANGE = 250n;
const HUNDRED_PERCENT = 100_000n;
const MAX_AGE_MS = 600_000;

/** The rate that pages show, before any spread. */
export interface ShownRate {
  readonly shownCents: bigint;
  /** When it was chosen, by the clock of the shop. */
  readonly shownAt: Date;
}

/**
 * The rate that pages show from now on. It follows the present rate when that has moved by 0.25 %, or after 10
 * minutes. Orders use the present rate.
 * @param shown null if none was shown before
 */
export function selectShownRate(
  shown: ShownRate | null,
  { medianCents, at }: { readonly medianCents: bigint; readonly at: Date },
): ShownRate {
  // After the clock was set back, the rate counts as old.
  const isOld = shown === null || Math.abs(at.getTime() - shown.shownAt.getTime()) >= MAX_AGE_MS;
  return isOld || hasMoved(shown.shownCents, medianCents) ? { shownCents: medianCents, shownAt: at } : shown;
}

function hasMoved(from: bigint, to: bigint): boolean {
  const difference = to > from ? to - from : from - to;
  return difference * HUNDRED_PERCENT >= from * MIN_CHANGE;
}
