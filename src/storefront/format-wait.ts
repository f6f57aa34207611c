/**
 * How long to wait after too many attempts, as text.
 * @param seconds null if the response has no Retry-After
 */
export function formatWait(seconds: number | null): string {
  if (seconds === null) return 'Please wait a minute and try again.';
  if (seconds <= 1) return 'Please wait a second and try again.';
  if (seconds < 90) return `Please wait ${seconds} seconds and try again.`;
  return `Please wait ${Math.ceil(seconds / 60)} minutes and try again.`;
}
