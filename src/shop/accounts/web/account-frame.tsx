import type { ReactNode } from 'react';
import styles from './account-frame.module.css';

interface AccountFrameProps {
  readonly title: string;
  /** What one gets by it, in a line. */
  readonly lead: string;
  readonly children: ReactNode;
  /** The way to the other form. */
  readonly footer: ReactNode;
}

/** One narrow column: a heading, a form, and where to go instead. */
export function AccountFrame({ title, lead, children, footer }: AccountFrameProps) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      {children}
      <p className={styles.foot}>{footer}</p>
    </div>
  );
}

interface FailureMessageProps {
  readonly title: string;
  /** Why, and what to do about it. */
  readonly detail: string | null;
}

/** What went wrong, in its place; it stays until the next try. */
export function FailureMessage({ title, detail }: FailureMessageProps) {
  return (
    <div role="alert" className={styles.failure}>
      <p>{title}</p>
      {detail !== null && <p className={styles.detail}>{detail}</p>}
    </div>
  );
}
