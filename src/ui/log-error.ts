/** What went wrong in the browser and shows no message of its own. */
export function logError(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the browser's log is its console
  console.error(what, error);
}
