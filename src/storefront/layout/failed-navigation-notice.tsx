import { failedNavigations } from '#src/platform/pages/browser/failed-navigation.ts';
import { hideFailedNavigation, retryNavigation } from '#src/platform/pages/browser/retry-navigation.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import styles from './failed-navigation-notice.module.css';

// In the same script: when a navigation fails, nothing else can be fetched.
export { retryUntilLoaded as loadUntilWhole } from '#src/platform/pages/browser/retry-navigation.ts';

const REASONS: Readonly<Record<number, string>> = {
  0: 'The shop did not respond. Check your connection.',
  429: 'You opened too many pages in a short time.',
  503: 'The shop is very busy.',
};

/** Shown above the current page: why the navigation failed, and a button to retry. */
export function FailedNavigationNotice() {
  const { isRetrying, status } = failedNavigations.use(({ failed }) => failed);
  return (
    <div role="alert" className={styles.notice}>
      <p>
        <strong>The page could not be loaded.</strong> {REASONS[status] ?? 'Something went wrong on our side.'}
      </p>
      <div className={styles.actions}>
        <Button isBusy={isRetrying} onClick={retryNavigation}>
          Try again
        </Button>
        <button type="button" aria-label="Close" className="round-target" onClick={hideFailedNavigation}>
          <Icon name="close" />
        </button>
      </div>
    </div>
  );
}
