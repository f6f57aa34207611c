import { useState } from 'react';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { toFailure } from './use-save.ts';

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
      showToast('error', toFailure(error).message);
    }
    await reloadPage();
    setIsBusy(false);
  };
  return { isBusy, save };
}
