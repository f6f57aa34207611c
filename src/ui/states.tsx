import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './states.module.css';

interface EmptyStateProps {
  /** Why there is nothing, in one line. */
  readonly title: string;
  /** One thing to do about it. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

export function EmptyState({ title, action, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  );
}

interface ErrorStateProps {
  /** What could not be shown. */
  readonly title: string;
  readonly onRetry: () => void;
}

/** Stands in the place of what failed to load. */
export function ErrorState({ title, onRetry }: ErrorStateProps) {
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>{title}</p>
      <Button variant="secondary" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
