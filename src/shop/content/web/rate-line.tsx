import { useState, useSyncExternalStore } from 'react';
import { formatUsdAmount } from '#src/shop/format-number.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { getServerTime } from '#src/ui/server-time.ts';
import { usePolling } from '#src/ui/use-polling.ts';
import { formatAge } from '../format-age.ts';
import styles from './rate-line.module.css';

const TICK_MS = 1_000;
const POLL_MS = 30_000;

export interface ShownRate {
  /** US dollars for one bitcoin. */
  readonly usd: number;
  /** ISO time; null: the rate never changes. */
  readonly updatedAt: string | null;
}

function subscribeToTicks(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

/** The price of a bitcoin that the prices of the page use, and its age by the shop's clock. Follows the shop. */
export function RateLine({ rate }: { readonly rate: ShownRate }) {
  const [loaded, setLoaded] = useState<{ readonly of: ShownRate; readonly rate: ShownRate } | null>(null);
  const { usd, updatedAt } = loaded?.of === rate ? loaded.rate : rate;
  const reload = async (): Promise<void> => {
    try {
      const { rate_usd: newUsd, updated_at: at } = await call('GET /rate');
      if (newUsd !== null) setLoaded({ of: rate, rate: { usd: newUsd, updatedAt: at } });
    } catch (error) {
      logError('the rate was not loaded', error);
    }
  };
  usePolling(updatedAt === null ? null : POLL_MS, () => void reload());
  // Not rendered on the server: its time would differ from the browser's.
  const now = useSyncExternalStore(
    subscribeToTicks,
    () => Math.floor(getServerTime() / 1000),
    () => null,
  );
  return (
    <p className="muted small tabular" translate="no">
      1 BTC = ${formatUsdAmount(usd)}
      {updatedAt !== null && (
        <span className={styles.age} data-pending={now === null || undefined}>
          , updated {formatAge(now === null ? 0 : now - Date.parse(updatedAt) / 1000)}
        </span>
      )}
    </p>
  );
}
