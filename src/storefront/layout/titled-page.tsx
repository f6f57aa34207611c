import type { ReactNode } from 'react';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './titled-page.module.css';

interface TitledPageProps {
  /** Back link or other navigation. */
  readonly above: ReactNode;
  readonly title: ReactNode;
  /** Beside the title. */
  readonly beside?: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Layout of account and admin pages: back link, title, and sections below each other. */
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
