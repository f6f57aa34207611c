import type { ReactNode } from 'react';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import styles from './admin-frame.module.css';
import { AdminMenu } from './admin-menu.tsx';
import { StaleNotice } from './stale-notice.tsx';

interface AdminFrameProps {
  readonly title: ReactNode;
  /** Shown beside the title. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** Frame of every admin page. */
export function AdminFrame({ title, beside, children }: AdminFrameProps) {
  return (
    <div className={styles.frame}>
      <AdminMenu />
      <div className={styles.page}>
        <StaleNotice />
        <TitledPage above={null} title={title} beside={beside}>
          {children}
        </TitledPage>
      </div>
    </div>
  );
}
