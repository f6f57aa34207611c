import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import styles from './states.module.css';

interface EmptyStateProps {
  /** Why it is empty, in one line. */
  readonly title: string;
  /** Of `graphics/drawings.tsx`. */
  readonly drawing?: ReactNode;
  /** The next step. */
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

export function EmptyState({ title, drawing, action, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {drawing}
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action}
    </div>
  );
}

interface ErrorStateProps {
  /** What failed to load. */
  readonly title: string;
  readonly onRetry: () => void;
}

/** Replaces content that failed to load. */
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
