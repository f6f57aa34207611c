import type { ReactNode } from 'react';
import styles from './side-columns.module.css';

interface SideColumnsProps {
  /** Main column. */
  readonly children: ReactNode;
  /** Side panel; below the main column on phones, above it in print. */
  readonly sidebar: ReactNode;
}

/** A main column and a side panel. */
export function SideColumns({ children, sidebar }: SideColumnsProps) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <div className={styles.side}>{sidebar}</div>
    </div>
  );
}
