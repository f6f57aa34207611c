import { useEffect } from 'react';
import { useNewest } from '#src/ui/use-newest.ts';

/** Looks again every so often while the page is in front, and at once when it comes back to the front; null: never. */
export function useSteadyLook(everyMs: number | null, act: () => void): void {
  const look = useNewest(act);
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

const OPEN_LOOK_MS = 3_000;
/** A late payment has no hurry. */
const EXPIRED_LOOK_MS = 15_000;

/** How often an order is worth a look. */
export function lookEvery(status: string): number | null {
  if (status === 'pending' || status === 'user_paid') return OPEN_LOOK_MS;
  return status === 'expired' ? EXPIRED_LOOK_MS : null;
}
