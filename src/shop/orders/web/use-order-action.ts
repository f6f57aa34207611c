import { useState } from 'react';
import { logError } from '#src/ui/log-error.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

interface OrderAction {
  readonly isBusy: boolean;
  /** Message of the last failure. */
  readonly failure: string | null;
  /** Runs an action; resolves to whether it succeeded. */
  readonly run: (action: () => Promise<void>) => Promise<boolean>;
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
      setFailure(describeFailure(error));
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, failure, run };
}
