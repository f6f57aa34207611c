import { useEffect } from 'react';
import { useEventCallback } from './use-event-callback.ts';

/** Looks again every so often while the page is in front, and at once when it comes back to the front; null: never. */
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
