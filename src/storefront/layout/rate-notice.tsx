import styles from './rate-notice.module.css';

export type RateState = 'current' | 'delayed' | 'none';

const messages = {
  delayed: 'Exchange rates are delayed. Until they return, bitcoin prices use the last rate plus 1 %.',
  none: 'No bitcoin rate is available, so prices are in US dollars. Your cart is saved. You can order when the rate is back.',
} as const;

interface RateNoticeProps {
  readonly state: RateState;
}

/** Shown on every page while the rate is outdated or missing. */
export function RateNotice({ state }: RateNoticeProps) {
  if (state === 'current') return null;
  return (
    <aside className={styles.notice} aria-label="About prices">
      <p>{messages[state]}</p>
    </aside>
  );
}
