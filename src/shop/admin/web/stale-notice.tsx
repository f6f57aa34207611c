import { useRevalidator } from 'react-router';
import { Button } from '#src/ui/button.tsx';
import { forgetEdits } from './edited-fields.ts';
import styles from './stale-notice.module.css';
import { useIsStale } from './use-staff-changes.ts';

/** Says that the page changed while something is being edited. What was typed stays. */
export function StaleNotice() {
  const isStale = useIsStale();
  const { revalidate } = useRevalidator();
  const reload = () => {
    forgetEdits();
    void revalidate();
  };
  return (
    <div role="status" className={styles.place}>
      {isStale && (
        <div className={styles.notice}>
          <p>This page has changed.</p>
          <Button variant="secondary" onClick={reload}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
