import { useEffect } from 'react';

/** Has the browser ask before the tab is closed or another site is opened, while there are unsaved changes. */
export function useLeaveWarning(hasChanges: boolean): void {
  useEffect(() => {
    if (!hasChanges) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasChanges]);
}
