import { useEffect, useSyncExternalStore } from 'react';
import { formatCountdown } from '#src/shop/orders/format-countdown.ts';
import { loadOrder } from '#src/web/session.ts';
import { serverNow } from '#src/web/server-time.ts';
import styles from './countdown.module.css';

const TICK_MS = 250;
const LAST_MINUTES_S = 5 * 60;
/** After zero the order is asked for until the shop has decided. */
const AFTER_ZERO_MS = 3_000;

function everyTick(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

/** PAY-02: what is left until the order's own expires_at, by the shop's clock. */
export function Countdown({ expiresAt }: { readonly expiresAt: string }) {
  const deadline = Date.parse(expiresAt);
  // The server renders no moment: its and the browser's would differ.
  const leftS = useSyncExternalStore(
    everyTick,
    () => Math.ceil((deadline - serverNow()) / 1000),
    () => null,
  );
  const isOver = leftS !== null && leftS <= 0;

  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setInterval(() => void loadOrder(), AFTER_ZERO_MS);
    return () => clearInterval(timer);
  }, [isOver]);

  return (
    <p className={styles.countdown} data-urgent={(leftS !== null && leftS < LAST_MINUTES_S) || undefined}>
      <span className={styles.label}>Time left</span>
      <time role="timer" aria-live="off" dateTime={expiresAt} className={styles.time}>
        {leftS === null ? '--:--:--' : formatCountdown(leftS * 1000)}
      </time>
    </p>
  );
}
