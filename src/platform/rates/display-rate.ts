import type { Rate, RateSourceWithState } from './rate-source.ts';

/** Smaller moves of the rate, in thousandths of a percent, do not change the shown prices. */
const MIN_CHANGE = 250n;
const HUNDRED_PERCENT = 100_000n;
const MAX_AGE_MS = 600_000;

/**
 * The display rate. It follows the present rate when that has moved by 0.25 %, or after 10 minutes. Orders use the
 * present rate. Without a present rate there is no display rate.
 */
export function createDisplayRate(source: RateSourceWithState, now: () => Date): RateSourceWithState {
  let shown: Rate | null = null;
  let sinceMs = 0;
  return {
    getState: () => source.getState(),
    getCurrent: () => {
      const present = source.getCurrent();
      const nowMs = now().getTime();
      // After the clock was set back, the rate counts as old.
      const isOld = Math.abs(nowMs - sinceMs) >= MAX_AGE_MS;
      if (present === null || shown === null || isOld || hasMoved(shown, present)) {
        shown = present;
        sinceMs = nowMs;
      }
      return shown;
    },
  };
}

function hasMoved({ centsPerBtc: from }: Rate, { centsPerBtc: to }: Rate): boolean {
  const difference = to > from ? to - from : from - to;
  return difference * HUNDRED_PERCENT >= from * MIN_CHANGE;
}
