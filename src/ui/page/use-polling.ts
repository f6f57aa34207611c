import { useEffect } from 'react';
import { useEventCallback } from '../react/use-event-callback.ts';

/** Polls while the page is visible, and immediately when it becomes visible again; null: never. */
export function usePolling(everyMs: number | null, act: () => void): void {
  const poll = useEventCallback(act);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const pollIfVisible = () => {
      if (document.visibilityState === 'visible') poll();
    };
    const timer = setInterval(pollIfVisible, everyMs);
    document.addEventListener('visibilitychange', pollIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
    };
  }, [everyMs, poll]);
}
