import { useState } from 'react';
import { isRefusal } from '#src/storefront/api.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { describeFailureWithFields } from '#src/storefront/forms/describe-failure.ts';

interface QuickAction {
  readonly isBusy: boolean;
  /** Runs an action, then reloads the page data. @returns whether it succeeded */
  readonly run: (action: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

/** Runs actions that need no confirmation. A failure is shown as a toast. */
export function useQuickAction(): QuickAction {
  const [isBusy, setIsBusy] = useState(false);
  const run: QuickAction['run'] = async (action, done) => {
    setIsBusy(true);
    let isDone = false;
    try {
      await action();
      isDone = true;
      if (done !== undefined) showToast('success', done);
    } catch (error) {
      if (!isRefusal(error)) logError('An action failed', error);
      showToast('error', 'Not done', describeFailureWithFields(error));
    }
    await reloadPage();
    setIsBusy(false);
    return isDone;
  };
  return { isBusy, run };
}
