import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { Moment } from '#src/storefront/moment.tsx';
import type { SessionSummary } from '../contract.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import styles from './session-list.module.css';

const ALL = 'all';

const end = async (id: string) => {
  try {
    if (id === ALL) await call('DELETE /users/sessions');
    else await call('DELETE /users/sessions/{id}', { params: { id } });
    showToast('success', id === ALL ? 'All other devices logged out' : 'Device logged out');
  } catch (error) {
    // A session that has already ended counts as success.
    if (!isApiFailure(error) || error.status !== 404) throw error;
  }
};

/** Sessions of the user, with buttons that end them. */
export function SessionList({ sessions }: { readonly sessions: readonly SessionSummary[] }) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useCallAction({
    log: 'Ending the session failed',
    describe: (error) => showToast('error', 'Failed to log out device', describeOutage(error)),
    settle: reloadPage,
  });

  return (
    <>
      <ul className={styles.list}>
        {sessions.map(({ id, device, created_at: createdAt, last_seen_at: seenAt, is_current: isCurrent }) => (
          <li key={id}>
            <div>
              <p className="strong">
                {device} {isCurrent && <span className={styles.mark}>This device</span>}
              </p>
              <p className="muted small">
                Last used <Moment at={seenAt} shows="moment" />, logged in <Moment at={createdAt} shows="day" />
              </p>
            </div>
            {!isCurrent && (
              <Button
                variant="tertiary"
                aria-label={`Log out ${device}`}
                isBusy={isBusy || !isHydrated}
                onClick={() => void run(() => end(id))}
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
          isBusy={isBusy || !isHydrated}
          onClick={() => void run(() => end(ALL))}
        >
          Log out all other devices
        </Button>
      )}
    </>
  );
}
