import type { ReactNode } from 'react';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import styles from './admin-frame.module.css';
import { AdminMenu } from './admin-menu.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { StaleNotice } from './stale-notice.tsx';

interface AdminFrameProps {
  readonly title: ReactNode;
  /** Shown beside the title. */
  readonly beside?: ReactNode;
  /** The back office is closed to the visitor, who lacks the second factor or a long password. */
  readonly isClosed?: boolean;
  readonly children: ReactNode;
}

/** Frame of every admin page. */
export function AdminFrame({ title, beside, isClosed = false, children }: AdminFrameProps) {
  return (
    <div className={styles.frame}>
      <AdminMenu isClosed={isClosed} />
      <div className={styles.page}>
        <StaleNotice />
        <TitledPage above={null} title={title} beside={beside}>
          {children}
        </TitledPage>
      </div>
      <PasswordDialog />
    </div>
  );
}
