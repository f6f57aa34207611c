import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { showToast } from '#src/ui/feedback/show-toast.ts';

/** Saves the order of a list and reloads the page data. */
export function useOrder(send: (ids: string[]) => Promise<unknown>) {
  const { isBusy, run } = useCallAction({
    log: 'an order was not saved',
    describe: (error) => showToast('error', describeFailure(error)),
    settle: reloadPage,
  });
  return { isBusy, save: (ids: readonly string[]) => run(() => send([...ids])) };
}
