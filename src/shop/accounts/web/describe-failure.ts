import { isApiFailure } from '#src/storefront/api.ts';
import { formatWait } from '#src/storefront/format-wait.ts';

/** Why a call failed for reasons other than the input; null if the input may be wrong. */
export function describeFailure(error: unknown): string | null {
  if (!isApiFailure(error)) return 'Something went wrong on our side. Please try again.';
  if (error.status === 0) return 'The shop did not respond. Check your connection and try again.';
  if (error.status === 429) return `Too many attempts. ${formatWait(error.retryAfterSeconds)}`;
  if (error.status >= 500) return 'Something went wrong on our side. Please try again in a moment.';
  return null;
}
