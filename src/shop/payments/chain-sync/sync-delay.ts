/** Longest delay between retries, unless the source's own poll interval is longer. */
const MAX_BACKOFF_MS = 10_000;

/** Milliseconds until the next pass, after a number of consecutive failures. */
export const computeSyncDelayMs = (pollMs: number, failures: number): number =>
  Math.min(pollMs * 2 ** Math.min(failures, 5), Math.max(pollMs, MAX_BACKOFF_MS));
