import { useState } from 'react';
import { describeFailure } from '../../web/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import styles from './address-notice.module.css';

/** Says that an address is not confirmed, and has the link sent once more. */
export function AddressNotice({ email }: { readonly email: string }) {
  const isAlive = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [isSent, setIsSent] = useState(false);

  const send = async () => {
    setIsBusy(true);
    try {
      const { is_confirmed: isConfirmed } = await call('POST /users/send-confirmation');
      setIsSent(true);
      showToast('success', isConfirmed ? 'Your address is confirmed' : 'The link is on its way');
    } catch (error) {
      if (!isRefusal(error)) logError('the link was not sent', error);
      showToast('error', 'The link was not sent', describeFailure(error));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <aside className={styles.notice} aria-label="Still to be confirmed">
      <p>
        <strong>Please confirm your email address.</strong>{' '}
        {isSent ? 'We have sent another link to' : 'Open the link that we sent to'} {email}. Your account works in the
        meantime.
      </p>
      <Button variant="secondary" isBusy={isBusy || !isAlive} onClick={() => void send()}>
        Send again
      </Button>
    </aside>
  );
}
