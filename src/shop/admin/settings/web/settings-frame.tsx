import type { ReactNode } from 'react';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { ErrorState } from '#src/ui/feedback/states.tsx';
import { AdminFrame } from '../../kit/admin-frame.tsx';
import { SettingsDocument } from './settings-document.tsx';
import type { StoredSettings } from './settings-document.tsx';
import type { SettingsPage } from './settings-pages.ts';

interface SettingsFrameProps {
  readonly page: SettingsPage;
  /** Null: they could not be loaded. */
  readonly stored: StoredSettings | null;
  readonly mayChange: boolean;
  /** Below the settings. */
  readonly children?: ReactNode;
}

/** A page of the settings. */
export const SettingsFrame = ({ page, stored, mayChange, children }: SettingsFrameProps) => (
  <AdminFrame title={page.title}>
    {!mayChange && <p className="muted measure">Only owners can change settings.</p>}
    {stored === null ? (
      <ErrorState title="The settings could not be loaded." onRetry={() => void reloadPage()} />
    ) : (
      <SettingsDocument page={page} stored={stored} mayChange={mayChange} />
    )}
    {children}
  </AdminFrame>
);
