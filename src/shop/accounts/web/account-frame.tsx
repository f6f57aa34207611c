import type { ReactNode } from 'react';
import styles from './account-frame.module.css';

interface AccountFrameProps {
  readonly title: string;
  /** Benefit of the form, one line. */
  readonly lead: string;
  readonly children: ReactNode;
  /** Link to the related form. */
  readonly footer: ReactNode;
}

/** One narrow column: heading, form and a link to the related form. */
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
  /** Reason and next step. */
  readonly detail: string | null;
}

/** Error message above the form; stays until the next attempt. */
export function FailureMessage({ title, detail }: FailureMessageProps) {
  return (
    <div role="alert" className={styles.failure}>
      <p>{title}</p>
      {detail !== null && <p className={styles.detail}>{detail}</p>}
    </div>
  );
}
