import { describeFailureWithFields } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';

/** Runs actions that need no confirmation. A failure is shown as a toast. */
export function useQuickAction() {
  const { isBusy, run } = useCallAction({
    log: 'An action failed',
    describe: (error) => showToast('error', 'Not done', describeFailureWithFields(error)),
    settle: reloadPage,
  });
  return {
    isBusy,
    /** Runs an action, then reloads the page data. @returns whether it succeeded */
    run: (action: () => Promise<unknown>, done?: string): Promise<boolean> =>
      run(async () => {
        await action();
        if (done !== undefined) showToast('success', done);
      }),
  };
}
