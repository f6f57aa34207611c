/** What the script in the head has asked the API for already; see first-paint.ts. */
declare global {
  interface Window {
    earlyAnswers?: {
      readonly token: string | null;
      readonly answers: Record<string, Promise<readonly [Response, number]>>;
    };
  }
}

/**
 * The answer to a GET of this path, if it was asked for with this token: once, for it grows old.
 * @returns the response and when it came, in ms.
 */
export function takePrefetchedResponse(
  path: string,
  token: string | null,
): Promise<readonly [Response, number]> | null {
  const early = window.earlyAnswers;
  if (!early || early.token !== token) return null;
  const answer = early.answers[path] ?? null;
  delete early.answers[path];
  return answer;
}
