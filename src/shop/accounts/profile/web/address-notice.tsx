import { useState } from 'react';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { CONFIRMATION_MAILS_A_DAY } from '../confirmation-limit.ts';
import styles from './address-notice.module.css';

/**
 * Shows that the address is not confirmed, with a button that resends the link. Says the same whether or not
 * other accounts used up the mails to the address.
 */
export function AddressNotice({ email }: { readonly email: string }) {
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);

  const send = async () => {
    setIsBusy(true);
    try {
      const { is_confirmed: isConfirmed } = await call('POST /users/send-confirmation');
      showToast('success', isConfirmed ? 'Your address is confirmed' : 'Confirmation link requested');
    } catch (error) {
      if (!isRefusal(error)) logError('Sending the confirmation link failed', error);
      showToast('error', 'The link was not sent', describeOutage(error));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <aside className={styles.notice} aria-label="Email not confirmed">
      <p>
        <strong>Confirm your email address.</strong> Open the link in our mail to {email}. Nothing there, nor in the
        spam folder? Resend the link. An address gets at most {CONFIRMATION_MAILS_A_DAY} of these mails a day, so it may
        not arrive before tomorrow. Your account works in the meantime.
      </p>
      <Button variant="secondary" isBusy={isBusy || !isHydrated} onClick={() => void send()}>
        Resend link
      </Button>
    </aside>
  );
}
