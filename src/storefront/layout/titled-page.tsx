import type { ReactNode } from 'react';
import { classNames } from '#src/ui/class-names.ts';
import styles from './titled-page.module.css';

interface TitledPageProps {
  /** The way back, or where else to go. */
  readonly above: ReactNode;
  readonly title: ReactNode;
  /** What stands with the title. */
  readonly beside?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A page of somebody's records: a way out, its title, and its parts one below the other. */
export function TitledPage({ above, title, beside, className, children }: TitledPageProps) {
  return (
    <div className={classNames(styles.page, className)}>
      {above}
      <header className={styles.head}>
        <h1>{title}</h1>
        {beside}
      </header>
      {children}
    </div>
  );
}
