import { useState } from 'react';
import { isApiFailure } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';

interface OrderAction {
  readonly isBusy: boolean;
  /** What to say of the last try, if it failed. */
  readonly failure: string | null;
  /** Answers whether it was done. */
  readonly run: (deed: () => Promise<void>) => Promise<boolean>;
}

function describeError(error: unknown): string {
  if (isApiFailure(error) && error.status >= 400 && error.code !== 'unknown') return `${error.message}.`;
  return 'The shop did not answer. Check your connection and try again.';
}

/** Something that the buyer does to an order: one at a time, and what fails is told in place. */
export function useOrderAction(what: string): OrderAction {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (deed: () => Promise<void>) => {
    setIsBusy(true);
    setFailure(null);
    try {
      await deed();
      return true;
    } catch (error) {
      logError(what, error);
      setFailure(describeError(error));
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, run };
}
