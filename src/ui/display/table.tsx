import type { ReactNode } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './table.module.css';

interface TableProps {
  /** What the table shows, for screen readers. */
  readonly label: string;
  /** All columns but the first hold figures, which are aligned at their end. */
  readonly hasFigures?: boolean;
  readonly className?: string | undefined;
  /** The head, the body and perhaps the foot. */
  readonly children: ReactNode;
}

/** A table, which scrolls inside its box where it is wider. */
export const Table = ({ label, hasFigures = false, className, children }: TableProps) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region needs the focus
  <section className={styles.scroll} aria-label={label} tabIndex={0}>
    <table className={classNames(styles.table, hasFigures && styles.figures, className)}>{children}</table>
  </section>
);
