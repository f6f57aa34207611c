import type { RefObject } from 'react';
import { reloadPage } from '#src/storefront/reload-page.ts';
import type { useDraft } from './use-draft.ts';
import { useSave } from './use-save.ts';

/** Saves or discards a draft, and loads the page again. */
export function useDraftForm(
  draft: Pick<ReturnType<typeof useDraft>, 'discard' | 'discardSaved'>,
  place: RefObject<HTMLElement | null>,
) {
  const { isBusy, failure, save, clear } = useSave(place);
  return {
    isBusy,
    failure,
    clear,
    /** Busy until the page shows what was saved. @returns whether nothing is left to save */
    save: async (send: () => Promise<unknown>, done: string): Promise<boolean> => {
      let isWhole = false;
      await save(async () => {
        await send();
        await reloadPage();
        isWhole = draft.discardSaved();
      }, done);
      return isWhole;
    },
    discard: (): void => {
      clear();
      draft.discard();
      void reloadPage();
    },
  };
}
