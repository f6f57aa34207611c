import { isApiFailure } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';

/** Text of a failed save. A refusal is not logged. */
export function describeFailure(what: string, error: unknown): string {
  if (isApiFailure(error) && error.status >= 400 && error.status < 500) return `${error.message}.`;
  logError(`${what}: not saved`, error);
  return 'The shop did not respond. Check your connection and save again.';
}
