import type { ReactNode } from 'react';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { BackLink } from '#src/ui/page/back-link.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Row } from '#src/ui/layout/row.ts';
import { Stack } from '#src/ui/layout/stack.ts';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import styles from './print.module.css';

interface PrintFrameProps {
  readonly title: string;
  readonly isFailed: boolean;
  /** There is nothing to print. */
  readonly isEmpty: boolean;
  /** Whether the title is on paper, too. */
  readonly isTitlePrinted?: boolean;
  readonly children: ReactNode;
}

/** A page of the back office to print: only its content is on paper. */
export function PrintFrame({ title, isFailed, isEmpty, isTitlePrinted = true, children }: PrintFrameProps) {
  const isHydrated = useHydrated();
  const beside = (
    <Row as="span" gap={16} rowGap={4} className="screen-only">
      {!isFailed && !isEmpty && (
        <Button disabled={!isHydrated} onClick={() => window.print()}>
          Print
        </Button>
      )}
      <BackLink to="/admin/orders?queue=to-ship" text="Orders to ship" />
    </Row>
  );
  const frame = (
    <AdminFrame title={title} beside={beside}>
      {isFailed ? (
        <ErrorState title="The orders could not be loaded." onRetry={() => void reloadPage()} />
      ) : (
        <Stack gap={48} className={styles.sheet}>
          {children}
        </Stack>
      )}
    </AdminFrame>
  );
  return isTitlePrinted ? frame : <div className={styles.untitled}>{frame}</div>;
}
