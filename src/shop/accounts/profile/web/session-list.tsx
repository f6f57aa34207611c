import { useState } from 'react';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { Moment } from '#src/storefront/moment.tsx';
import type { SessionSummary } from '../contract.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { logError } from '#src/ui/log-error.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import styles from './session-list.module.css';

const ALL = 'all';

/** Sessions of the user, with buttons that end them. */
export function SessionList({ sessions }: { readonly sessions: readonly SessionSummary[] }) {
  const isHydrated = useHydrated();
  const [busy, setBusy] = useState<string | null>(null);

  const end = async (id: string) => {
    setBusy(id);
    try {
      if (id === ALL) await call('DELETE /users/sessions');
      else await call('DELETE /users/sessions/{id}', { params: { id } });
      showToast('success', id === ALL ? 'All other devices logged out' : 'Device logged out');
    } catch (error) {
      // A session that has already ended counts as success.
      if (!(isApiFailure(error) && error.status === 404)) {
        if (!isRefusal(error)) logError('Ending the session failed', error);
        showToast('error', 'Failed to log out device', describeOutage(error));
      }
    }
    await reloadPage();
    setBusy(null);
  };

  return (
    <>
      <ul className={styles.list}>
        {sessions.map(({ id, device, created_at: createdAt, last_seen_at: seenAt, is_current: isCurrent }) => (
          <li key={id}>
            <div>
              <p className={styles.device}>
                {device} {isCurrent && <span className={styles.mark}>This device</span>}
              </p>
              <p className={styles.times}>
                Last used <Moment at={seenAt} shows="moment" />, logged in <Moment at={createdAt} shows="day" />
              </p>
            </div>
            {!isCurrent && (
              <Button
                variant="tertiary"
                aria-label={`Log out ${device}`}
                isBusy={busy !== null || !isHydrated}
                onClick={() => void end(id)}
              >
                Log out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Button
          variant="secondary"
          className={styles.all}
          isBusy={busy !== null || !isHydrated}
          onClick={() => void end(ALL)}
        >
          Log out all other devices
        </Button>
      )}
    </>
  );
}
