/** Whether the preview is shown beside the editor. Kept by the browser. */
import { readStored, writeStored } from '#src/ui/browser/browser-storage.ts';
import { createStore } from '#src/ui/react/store.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { useMedia } from '#src/ui/react/use-media.ts';

const KEY = 'preview_beside_product';
/** Leaves the form 46rem. Its grid of variants is a list there, until the window is wider. */
const WIDE_WINDOW = '(min-width: 1440px)';

/** As this document changed it; null: not yet. */
const changed = createStore<{ readonly isWanted: boolean | null }>({ isWanted: null });

interface Preview {
  /** The window is wide enough for both. */
  readonly hasRoom: boolean;
  readonly isShown: boolean;
  readonly toggle: () => void;
}

export function usePreview(): Preview {
  const isHydrated = useHydrated();
  const hasRoom = useMedia(WIDE_WINDOW);
  const isWanted = changed.use((state) => state.isWanted) ?? (isHydrated && readStored(KEY) !== null);
  return {
    hasRoom,
    isShown: hasRoom && isWanted,
    toggle: () => {
      changed.update({ isWanted: !isWanted });
      writeStored(KEY, isWanted ? null : 'shown');
    },
  };
}
