import { useEffect, useRef, useState } from 'react';
import { useNavigation, useRevalidator } from 'react-router';
import { useEventCallback } from '#src/ui/use-event-callback.ts';

interface Reload {
  readonly reload: () => void;
  /** Whether a load is in progress now. */
  readonly isLoading: () => boolean;
}

/**
 * Loads the data of the page again, after the load in progress if there is one. React Router would abort that load, and
 * an abort between the first line and the end of its body is an unhandled rejection in its decoder.
 */
export function useReload(): Reload {
  const { state, revalidate } = useRevalidator();
  const isIdle = useNavigation().state === 'idle' && state === 'idle';
  const isRunning = useRef(false);
  const isRequested = useRef(false);
  const [, setEnded] = useState(0);
  const reload = useEventCallback(() => {
    isRequested.current = !isIdle || isRunning.current;
    if (isRequested.current) return;
    isRunning.current = true;
    void revalidate().finally(() => {
      isRunning.current = false;
      setEnded((count) => count + 1);
    });
  });
  // After each render: the load in progress may have ended.
  useEffect(() => {
    if (isRequested.current) reload();
  });
  return { reload, isLoading: () => !isIdle || isRunning.current };
}
