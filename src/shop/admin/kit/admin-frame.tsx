import type { ReactNode } from 'react';
import { TitledPage } from '#src/storefront/layout/titled-page.tsx';
import { useWaitingCounts } from './waiting-counts.ts';

interface AdminFrameProps {
  readonly title: ReactNode;
  /** Shown beside the title. */
  readonly beside?: ReactNode;
  /** The back office is closed to the visitor, who lacks the second factor or a long password. */
  readonly isClosed?: boolean;
  readonly children: ReactNode;
}

/** A page of the back office with its title. */
export function AdminFrame({ title, beside, isClosed = false, children }: AdminFrameProps) {
  return (
    <>
      <TitledPage above={null} title={title} beside={beside}>
        {children}
      </TitledPage>
      {!isClosed && <WaitingCounts />}
    </>
  );
}

function WaitingCounts() {
  useWaitingCounts();
  return null;
}
