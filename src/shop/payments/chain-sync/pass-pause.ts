/** A source that fails is tried again after so long at the latest, or at its own pace if that is slower. */
const LONGEST_BACK_OFF_MS = 10_000;

/** Milliseconds between two looks at the chain source, after so many failures in a row. */
export const passPauseMs = (pollMs: number, failures: number): number =>
  Math.min(pollMs * 2 ** Math.min(failures, 5), Math.max(pollMs, LONGEST_BACK_OFF_MS));
