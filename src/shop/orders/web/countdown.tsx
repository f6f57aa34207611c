import { useEffect, useState } from 'react';
import { formatCountdown } from '#src/shop/orders/format-countdown.ts';
import { loadOrder } from '#src/web/session.ts';
import { serverNow } from '#src/web/server-time.ts';
import styles from './countdown.module.css';

const TICK_MS = 250;
const LAST_MINUTES_MS = 5 * 60_000;
/** After zero the order is asked for until the shop has decided. */
const AFTER_ZERO_MS = 3_000;

/** PAY-02: what is left until the order's own expires_at, by the shop's clock. */
export function Countdown({ expiresAt }: { readonly expiresAt: string }) {
  const deadline = Date.parse(expiresAt);
  // The server renders no moment: its and the browser's would differ.
  const [leftMs, setLeftMs] = useState<number | null>(null);
  const isOver = leftMs !== null && leftMs <= 0;

  useEffect(() => {
    const tick = () => setLeftMs(deadline - serverNow());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [deadline]);
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setInterval(() => void loadOrder(), AFTER_ZERO_MS);
    return () => clearInterval(timer);
  }, [isOver]);

  return (
    <p className={styles.countdown} data-urgent={leftMs !== null && leftMs < LAST_MINUTES_MS ? true : undefined}>
      <span className={styles.label}>Time left</span>
      <time role="timer" aria-live="off" dateTime={expiresAt} className={styles.time}>
        {leftMs === null ? '--:--:--' : formatCountdown(leftMs)}
      </time>
    </p>
  );
}
