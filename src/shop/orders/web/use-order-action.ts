import { useState } from 'react';
import { isApiFailure } from '#src/storefront/api.ts';
import { logError } from '#src/ui/log-error.ts';

interface OrderAction {
  readonly isBusy: boolean;
  /** Message of the last failure. */
  readonly failure: string | null;
  /** Runs an action; resolves to whether it succeeded. */
  readonly run: (action: () => Promise<void>) => Promise<boolean>;
}

function describeError(error: unknown): string {
  if (isApiFailure(error) && error.status >= 400 && error.code !== 'unknown') return `${error.message}.`;
  return 'The shop did not respond. Check your connection and try again.';
}

/** Runs the buyer's actions on an order, one at a time; shows failures in place. */
export function useOrderAction(what: string): OrderAction {
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (action: () => Promise<void>) => {
    setIsBusy(true);
    setFailure(null);
    try {
      await action();
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
