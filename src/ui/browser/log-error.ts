/** Logs an error that is not shown to the visitor. */
export function logError(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the browser's log is its console
  console.error(what, error);
}
