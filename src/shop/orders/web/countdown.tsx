import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { announceCountdown } from '../announce-countdown.ts';
import { computeShareLeft } from '../compute-share-left.ts';
import { formatCountdown } from '../format-countdown.ts';
import { getServerTime } from '#src/ui/browser/server-time.ts';
import styles from './countdown.module.css';

const TICK_MS = 250;
const LAST_MINUTES_S = 5 * 60;
/** Poll interval after zero, until the shop has expired the order. */
const AFTER_ZERO_MS = 3_000;

function subscribeToTicks(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

interface CountdownProps {
  readonly expiresAt: string;
  /** Begin of the payment window; the ring is full then. Null while it is unknown. */
  readonly startedAt: string | null;
  /** The chain source is down, so the order does not expire. */
  readonly isHeld: boolean;
  /** Reloads the order; called until it changes. */
  readonly onOver: () => void;
}

/** PAY-02: time until the order's expires_at, by the shop's clock. */
export function Countdown({ expiresAt, startedAt, isHeld, onOver }: CountdownProps) {
  const deadline = Date.parse(expiresAt);
  // Not rendered on the server: its time would differ from the browser's.
  const leftS = useSyncExternalStore(
    subscribeToTicks,
    () => Math.ceil((deadline - getServerTime()) / 1000),
    () => null,
  );
  const isOver = leftS !== null && leftS <= 0;

  const announced = useAnnouncement(leftS);

  const onOverRef = useRef(onOver);
  useEffect(() => {
    onOverRef.current = onOver;
  });
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setInterval(() => onOverRef.current(), AFTER_ZERO_MS);
    return () => clearInterval(timer);
  }, [isOver]);

  if (isOver && isHeld) {
    return <p className="muted small">Time extended: the Bitcoin network is unavailable.</p>;
  }
  return (
    <div className={styles.countdown} data-urgent={(leftS !== null && leftS < LAST_MINUTES_S) || undefined}>
      <Ring share={leftS === null || startedAt === null ? 1 : computeShareLeft(leftS, startedAt, expiresAt)} />
      <span className={styles.label}>Time left</span>
      <time translate="no" role="timer" aria-live="off" dateTime={expiresAt} className={styles.time}>
        {leftS === null ? '--:--:--' : formatCountdown(leftS * 1000)}
      </time>
      <output className="visually-hidden">{announced}</output>
    </div>
  );
}

/** The share of the window that is left. Attributes draw it, since the policy of pages forbids `style`. */
function Ring({ share }: { readonly share: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 100 100" aria-hidden="true">
      <circle cx="50" cy="50" r="47" />
      <circle cx="50" cy="50" r="47" pathLength={1} strokeDasharray="1 1" strokeDashoffset={1 - share} />
    </svg>
  );
}

/** Announcement of the remaining time for screen readers. */
function useAnnouncement(leftS: number | null): string {
  const before = useRef(leftS);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (leftS === before.current) return;
    const announcement = leftS === null || before.current === null ? null : announceCountdown(before.current, leftS);
    before.current = leftS;
    if (announcement !== null) setWords(announcement);
  }, [leftS]);
  return words;
}
