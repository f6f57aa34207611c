import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/browser/log-error.ts';
import { MAX_ADDRESS_CHARACTERS } from '#src/shop/refunds/typed-address.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { NeedsScript } from '#src/ui/feedback/needs-script.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import { useEventCallback } from '#src/ui/react/use-event-callback.ts';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { WalletAddress } from '#src/shop/payments/web/wallet-address.tsx';
import styles from './refund-address.module.css';

interface RefundAddressProps {
  readonly orderId: string;
  /** Money is owed, so the form starts open. */
  readonly isDue: boolean;
  /** Called after the address was saved, or confirmed elsewhere: texts of the page depend on it. */
  readonly onChanged: () => void;
}

interface SavedAddress {
  readonly address: string | null;
  readonly confirmed: boolean;
  readonly holds_from: string | null;
}

const NONE: SavedAddress = { address: null, confirmed: false, holds_from: null };

function describeBadge({ address, confirmed, holds_from: holdsFrom }: SavedAddress, isDue: boolean): string {
  if (confirmed) return 'confirmed';
  if (holdsFrom !== null) return 'entered by us';
  if (address !== null) return 'not confirmed';
  return isDue ? 'required' : 'optional';
}

function describeState({ confirmed, holds_from: holdsFrom }: SavedAddress): string {
  if (confirmed) return 'Confirmed. We send refunds to this address.';
  if (holdsFrom !== null)
    return 'We entered this address for you and send your refund to it. Not yours? Enter another one.';
  return 'Saved. Open the link in our mail to confirm it.';
}

/** PAY-13: the refund address of an order. It is used once the buyer has confirmed it by mail. */
export function RefundAddress({ orderId, isDue, onChanged }: RefundAddressProps) {
  const { saved, take } = useSavedAddress(orderId, onChanged);
  const [written, setWritten] = useState<string | null>(null);
  const address = written ?? saved.address ?? '';
  const isSaved = address !== '' && address.trim() === saved.address;

  const { ref, submit, isBusy, bind } = useCallForm({
    log: 'the refund address was not saved',
    read: () => address.trim(),
    send: async (typed) => {
      await call('PUT /orders/{id}/refund-address', { params: { id: orderId }, body: { address: typed } });
      await take(() => call('GET /orders/{id}/refund-address', { params: { id: orderId } }));
      // Unless the field was edited in the meantime.
      setWritten((now) => (now === written ? null : now));
    },
    describe: (error) => ({ text: null, problems: { refundAddress: describeFailure(error) } }),
  });
  const mail = useCallAction({
    log: 'the confirmation mail was not sent',
    describe: () => showToast('error', 'The mail was not sent', 'Try again later'),
  });
  const sendAgain = async () => {
    const result = await take(() => call('POST /orders/{id}/refund-address/resend', { params: { id: orderId } }));
    showToast('success', result.confirmed ? 'Your address is confirmed' : 'Mail sent. Open the link in it');
  };
  const field = bind('refundAddress');

  return (
    <details className={styles.details} open={isDue || undefined}>
      <summary>
        Refund address <span>{describeBadge(saved, isDue)}</span>
      </summary>
      <form ref={ref} onSubmit={submit} noValidate className={styles.form}>
        <Field
          label="Your Bitcoin address"
          {...field}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_ADDRESS_CHARACTERS}
          value={address}
          hint={`${isDue ? 'We send your refund to this address' : 'We refund overpayments and late payments to this address'}. Use your own wallet: an exchange may not credit the amount.`}
          onChange={(event) => {
            setWritten(event.currentTarget.value);
            field.onChange();
          }}
        />
        <output className={styles.state} data-confirmed={saved.confirmed || undefined}>
          {isSaved && (
            <>
              {/* The field may cut the address off, so it is shown in full here. */}
              <WalletAddress address={saved.address} />
              <span>{describeState(saved)}</span>
            </>
          )}
        </output>
        <div className={styles.actions}>
          {isSaved && !saved.confirmed && (
            <Button variant="secondary" isBusy={mail.isBusy} onClick={() => void mail.run(sendAgain)}>
              Resend mail
            </Button>
          )}
          {!isSaved && (
            <Button type="submit" variant="secondary" isBusy={isBusy} disabled={address.trim() === ''}>
              Save address
            </Button>
          )}
        </div>
        <NeedsScript />
      </form>
    </details>
  );
}

/** The address as the server has it, and a function that takes over what a call returns. */
function useSavedAddress(orderId: string, onChanged: () => void) {
  const [saved, setSaved] = useState(NONE);
  // Responses may arrive out of order. An older one must not replace a newer one.
  const asked = useRef(0);
  const taken = useRef(0);
  const last = useRef<SavedAddress | null>(null);
  const reportChange = useEventCallback(onChanged);
  const take = useCallback(
    async (ask: () => Promise<SavedAddress>): Promise<SavedAddress> => {
      asked.current += 1;
      const own = asked.current;
      const result = await ask();
      if (own > taken.current) {
        taken.current = own;
        const before = last.current;
        last.current = result;
        setSaved(result);
        if (before !== null && (before.address !== result.address || before.confirmed !== result.confirmed))
          reportChange();
      }
      return result;
    },
    [reportChange],
  );

  useEffect(() => {
    const read = () =>
      void take(() => call('GET /orders/{id}/refund-address', { params: { id: orderId } })).catch((error: unknown) => {
        // The address of a later call is shown otherwise.
        if (last.current === null) logError('the refund address was not loaded', error);
      });
    read();
    // Reload when the buyer returns from the mail that confirms the address.
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [orderId, take]);

  return { saved, take };
}
