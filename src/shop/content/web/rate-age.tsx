import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { getServerTime } from '#src/ui/browser/server-time.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { usePolling } from '#src/ui/page/use-polling.ts';
import { formatAge } from '../format-age.ts';
import type { ShownRate } from '../shown-rate.ts';
import styles from './rate-age.module.css';

const TICK_MS = 1_000;
const POLL_MS = 30_000;

/** Each second while the page is visible, and when it becomes visible. */
function subscribeToTicks(onTick: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const follow = (): void => {
    clearInterval(timer);
    if (document.visibilityState !== 'visible') return;
    onTick();
    timer = setInterval(onTick, TICK_MS);
  };
  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', follow);
  };
}

interface RateAgeProps {
  readonly rate: ShownRate | null;
}

/**
 * `, updated 12 s ago`, by the shop's clock. Loads the data of the page again when the shop has another rate, or none, so
 * that prices and rate change together.
 */
export function RateAge({ rate }: RateAgeProps) {
  const updatedAt = useUpdateTime(rate);
  const age = useSyncExternalStore(subscribeToTicks, () =>
    updatedAt === null ? '' : formatAge((getServerTime() - updatedAt) / 1000),
  );
  if (age === '') return null;
  return (
    <>
      {', '}
      <span className={styles.age}>updated {age}</span>
    </>
  );
}

/**
 * Since when the shop has the shown rate, in ms since 1970. Null until the shop has answered: only then is it known how far
 * the visitor's clock is off, and whether the page is up to date.
 */
function useUpdateTime(rate: ShownRate | null): number | null {
  const [newest, setNewest] = useState<ShownRate | null>(null);
  const load = async (): Promise<void> => {
    try {
      const { rate_usd: usd, updated_at: at } = await call('GET /rate');
      setNewest({ usd: usd ?? 0, updatedAt: at });
      if (usd !== (rate?.usd ?? null)) await reloadPage({ isAutomatic: true });
    } catch (error) {
      logError('the rate was not loaded', error);
    }
  };
  const poll = useEventCallback(() => void load());
  useEffect(poll, [poll]);
  usePolling(POLL_MS, poll);
  if (newest === null || rate === null) return null;
  const at = newest.usd === rate.usd ? newest.updatedAt : rate.updatedAt;
  return at === null ? null : Date.parse(at);
}
