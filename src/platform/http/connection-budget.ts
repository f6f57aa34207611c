/** How many of the process's file descriptors connections may use. */

/** For the database, jobs, files, requests to other servers and connections that are just being accepted. */
const RESERVED = 96;
const MAX_LIVE = 10_000;
const MAX_HTTP = 10_000;
/** Fewer serve nobody. */
const MIN_EACH = 8;

export interface ConnectionBudget {
  /** Connections that speak HTTP. Each may hold a second descriptor, of the file that it is sent. */
  readonly http: number;
  /** Connections of the live channel. */
  readonly live: number;
}

/** @param openFiles the limit of open files of this process; null where the system has none */
export function computeConnectionBudget(openFiles: number | null): ConnectionBudget {
  if (openFiles === null) return { http: MAX_HTTP, live: MAX_LIVE };
  const free = Math.max(0, openFiles - RESERVED);
  const live = Math.min(MAX_LIVE, Math.floor(free / 4));
  const http = Math.min(MAX_HTTP, Math.floor((free - live) / 2));
  return { http: Math.max(MIN_EACH, http), live: Math.max(MIN_EACH, live) };
}
