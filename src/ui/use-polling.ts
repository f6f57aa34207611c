import { useEffect } from 'react';
import { useEventCallback } from './use-event-callback.ts';

/** Polls while the page is visible, and immediately when it becomes visible again; null: never. */
export function usePolling(everyMs: number | null, act: () => void): void {
  const look = useEventCallback(act);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const lookIfSeen = () => {
      if (document.visibilityState === 'visible') look();
    };
    const timer = setInterval(lookIfSeen, everyMs);
    document.addEventListener('visibilitychange', lookIfSeen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookIfSeen);
    };
  }, [everyMs, look]);
}
