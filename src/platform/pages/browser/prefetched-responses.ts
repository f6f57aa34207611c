/** API responses that the script in the head requested; see prepare-page.ts. */
export interface EarlyAnswers {
  readonly token: string | null;
  /** The response and its arrival in ms, by path. */
  readonly answers: Record<string, Promise<readonly [Response, number]>>;
}

declare global {
  interface Window {
    earlyAnswers?: EarlyAnswers;
  }
}

/**
 * Takes the prefetched response of a GET with this token. Each can be taken once, because it becomes outdated.
 * @returns the response and its arrival in ms
 */
export function takePrefetchedResponse(
  path: string,
  token: string | null,
): Promise<readonly [Response, number]> | null {
  const early = window.earlyAnswers;
  if (!early || early.token !== token) return null;
  const response = early.answers[path] ?? null;
  delete early.answers[path];
  return response;
}
