import styles from './needs-script.module.css';

/** Beside a button that does nothing without a script: only then it is shown. */
export function NeedsScript() {
  return (
    <noscript>
      <p className={styles.note}>This needs JavaScript, which is off in your browser.</p>
    </noscript>
  );
}
