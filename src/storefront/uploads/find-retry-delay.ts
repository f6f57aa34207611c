/** A shop that asks to wait longer has no room for the file: sending it again costs its sender only. */
const MAX_SECONDS = 10;
const DEFAULT_SECONDS = 2;

/**
 * After how many seconds a file is sent again; null: never, since the response is final. Pure.
 * @param retryAfter the header of the response
 */
export function findRetryDelay(status: number, retryAfter: string | null): number | null {
  if (status !== 503) return null;
  const seconds = Number(retryAfter) || DEFAULT_SECONDS;
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds : null;
}
