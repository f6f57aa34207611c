import styles from './rate-notice.module.css';

export type RateState = 'current' | 'delayed' | 'none';

const messages = {
  delayed:
    'The exchanges don’t answer at the moment. Prices in bitcoin follow the last rate we had, with 1 % on top, until they do.',
  none: 'There is no price of bitcoin at the moment, so prices are in US dollars. Your cart stays as it is; you can order again as soon as the exchanges answer.',
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
