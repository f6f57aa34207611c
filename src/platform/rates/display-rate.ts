import type { Rate, RateSourceWithState } from './rate-source.ts';

/** A rate that has moved by less, in thousandths of a percent, is not worth other prices on every page. */
const MIN_CHANGE = 250n;
const HUNDRED_PERCENT = 100_000n;
const MAX_AGE_MS = 600_000;

/**
 * The rate at which prices are shown: it follows another one when that has moved by 0.25 %, or after 10 minutes. What is
 * bought is bought at the other one. Without a rate that may be used there is none to show either.
 */
export function createDisplayRate(source: RateSourceWithState, now: () => Date): RateSourceWithState {
  let shown: Rate | null = null;
  let sinceMs = 0;
  return {
    state: () => source.state(),
    current: () => {
      const present = source.current();
      const nowMs = now().getTime();
      // A clock that was put back makes the rate no younger.
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
