/** How many file descriptors connections may use. */

/** Reserved for the database, jobs, files, outgoing requests and connections being accepted. */
const RESERVED = 96;
const MAX_LIVE = 10_000;
const MAX_HTTP = 10_000;
/** With fewer, the shop is not usable. */
const MIN_EACH = 8;

export interface ConnectionBudget {
  /** HTTP connections. Each may use a second descriptor, of the file that it sends. */
  readonly http: number;
  /** Connections of the live channel. */
  readonly live: number;
}

/** @param openFiles open-file limit of this process; null without one */
export function computeConnectionBudget(openFiles: number | null): ConnectionBudget {
  if (openFiles === null) return { http: MAX_HTTP, live: MAX_LIVE };
  const free = Math.max(0, openFiles - RESERVED);
  const live = Math.min(MAX_LIVE, Math.floor(free / 4));
  const http = Math.min(MAX_HTTP, Math.floor((free - live) / 2));
  return { http: Math.max(MIN_EACH, http), live: Math.max(MIN_EACH, live) };
}
