import type { ReactNode } from 'react';
import styles from './side-columns.module.css';

interface SideColumnsProps {
  /** Sections, the widest part of the page. */
  readonly children: ReactNode;
  /** Sections on a panel beside; on a phone it follows, on paper it stands above. */
  readonly sidebar: ReactNode;
}

/** What a page is about, and a panel with the facts that go with it. */
export function SideColumns({ children, sidebar }: SideColumnsProps) {
  return (
    <div className={styles.columns}>
      <div className={styles.main}>{children}</div>
      <div className={styles.side}>{sidebar}</div>
    </div>
  );
}
