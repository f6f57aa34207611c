import type { ReactNode } from 'react';
import type { FormFailure } from '#src/ui/form/use-form.ts';
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

/** Error message above the form; stays until the next attempt. None without a title. */
export const FailureMessage = ({ title, text }: Pick<FormFailure, 'title' | 'text'>) =>
  title !== undefined && (
    <div role="alert" className={styles.failure}>
      <p>{title}</p>
      {text !== null && <p className={styles.detail}>{text}</p>}
    </div>
  );
