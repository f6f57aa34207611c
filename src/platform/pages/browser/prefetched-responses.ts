/** API responses that the script in the head requested; see head-script.ts. */
declare global {
  interface Window {
    earlyAnswers?: {
      readonly token: string | null;
      readonly answers: Record<string, Promise<readonly [Response, number]>>;
    };
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
