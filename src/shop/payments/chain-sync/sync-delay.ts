/** A source that fails is tried again after so long at the latest, or at its own pace if that is slower. */
const MAX_BACKOFF_MS = 10_000;

/** Milliseconds between two looks at the chain source, after so many failures in a row. */
export const computeSyncDelayMs = (pollMs: number, failures: number): number =>
  Math.min(pollMs * 2 ** Math.min(failures, 5), Math.max(pollMs, MAX_BACKOFF_MS));
