import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { forgetEdits } from './edited-fields.ts';
import styles from './stale-notice.module.css';
import { useIsStale } from './use-staff-changes.ts';

function reload(): void {
  forgetEdits();
  void reloadPage();
}

/** Says that what the page shows may have changed while something is being edited. What was typed stays. */
export function StaleNotice() {
  const isStale = useIsStale();
  return (
    <output className={styles.place}>
      {isStale && (
        <span className={styles.notice}>
          This page may be outdated.
          <Button variant="secondary" onClick={reload}>
            Reload
          </Button>
        </span>
      )}
    </output>
  );
}
