import styles from './rate-notice.module.css';

/** Shown on every page while the bitcoin rate is outdated or missing. */
export function RateNotice({ text }: { readonly text: string | undefined }) {
  return (
    text && (
      <aside className={styles.notice} aria-label="About prices">
        <p>{text}</p>
      </aside>
    )
  );
}
