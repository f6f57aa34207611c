import { useState } from 'react';
import { describeFailure } from '../../web/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import styles from './address-notice.module.css';

/** Shows that the address is not confirmed, with a button that resends the link. */
export function AddressNotice({ email }: { readonly email: string }) {
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [isSent, setIsSent] = useState(false);

  const send = async () => {
    setIsBusy(true);
    try {
      const { is_confirmed: isConfirmed } = await call('POST /users/send-confirmation');
      setIsSent(true);
      showToast('success', isConfirmed ? 'Your address is confirmed' : 'Confirmation link sent');
    } catch (error) {
      if (!isRefusal(error)) logError('Sending the confirmation link failed', error);
      showToast('error', 'The link was not sent', describeFailure(error));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <aside className={styles.notice} aria-label="Email not confirmed">
      <p>
        <strong>Confirm your email address.</strong> {isSent ? 'We sent another link to' : 'Open the link we sent to'}{' '}
        {email}. Your account works in the meantime.
      </p>
      <Button variant="secondary" isBusy={isBusy || !isHydrated} onClick={() => void send()}>
        Resend link
      </Button>
    </aside>
  );
}
