import { useState } from 'react';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';

/** Saves the order of a list and reloads the page data. */
export function useOrder(send: (ids: string[]) => Promise<unknown>): {
  readonly isBusy: boolean;
  readonly save: (ids: readonly string[]) => Promise<void>;
} {
  const [isBusy, setIsBusy] = useState(false);
  const save = async (ids: readonly string[]): Promise<void> => {
    setIsBusy(true);
    try {
      await send([...ids]);
    } catch (error) {
      showToast('error', describeFailure(error));
    }
    await reloadPage();
    setIsBusy(false);
  };
  return { isBusy, save };
}
