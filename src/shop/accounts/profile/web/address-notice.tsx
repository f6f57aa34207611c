import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { call } from '#src/storefront/call.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { CONFIRMATION_MAILS_A_DAY } from '../confirmation-limit.ts';
import styles from './address-notice.module.css';

const send = async () => {
  const { is_confirmed: isConfirmed } = await call('POST /users/send-confirmation');
  showToast('success', isConfirmed ? 'Your address is confirmed' : 'Confirmation link requested');
};

/**
 * Shows that the address is not confirmed, with a button that resends the link. Says the same whether or not
 * other accounts used up the mails to the address.
 */
export function AddressNotice({ email }: { readonly email: string }) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useCallAction({
    log: 'Sending the confirmation link failed',
    describe: (error) => showToast('error', 'The link was not sent', describeOutage(error)),
  });

  return (
    <aside className={styles.notice} aria-label="Email not confirmed">
      <p>
        <strong>Confirm your email address.</strong> Open the link in our mail to {email}. Nothing there, nor in the
        spam folder? Resend the link. An address gets at most {CONFIRMATION_MAILS_A_DAY} of these mails a day, so it may
        not arrive before tomorrow. Your account works in the meantime.
      </p>
      <Button variant="secondary" isBusy={isBusy || !isHydrated} onClick={() => void run(send)}>
        Resend link
      </Button>
    </aside>
  );
}
