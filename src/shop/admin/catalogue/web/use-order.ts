import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { showToast } from '#src/ui/show-toast.ts';
import { toFailure } from './use-save.ts';

/** Saves the order of a list and reloads the page data. */
export function useOrder(send: (ids: string[]) => Promise<unknown>): {
  readonly isBusy: boolean;
  readonly save: (ids: readonly string[]) => Promise<void>;
} {
  const revalidator = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);
  const save = async (ids: readonly string[]): Promise<void> => {
    setIsBusy(true);
    try {
      await send([...ids]);
    } catch (error) {
      showToast('error', toFailure(error).message);
    }
    await revalidator.revalidate();
    setIsBusy(false);
  };
  return { isBusy, save };
}
