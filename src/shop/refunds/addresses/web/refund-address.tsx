import { useCallback, useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { NeedsScript } from '#src/ui/needs-script.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import styles from './refund-address.module.css';

interface RefundAddressProps {
  readonly orderId: string;
  /** There is money to give back: the form is open from the start. */
  readonly isDue: boolean;
}

interface SavedAddress {
  readonly address: string | null;
  readonly confirmed: boolean;
  readonly holds_from: string | null;
}

const MAX_LENGTH = 100;
const NONE: SavedAddress = { address: null, confirmed: false, holds_from: null };

function describeBadge({ address, confirmed, holds_from: holdsFrom }: SavedAddress, isDue: boolean): string {
  if (confirmed) return 'confirmed';
  if (holdsFrom !== null) return 'entered by us';
  if (address !== null) return 'confirm it';
  return isDue ? 'please tell us' : 'optional';
}

function describeState({ confirmed, holds_from: holdsFrom }: SavedAddress): string {
  if (confirmed) return 'Confirmed: what goes back to you is sent there.';
  if (holdsFrom !== null) return 'We entered it for you, and send your refund there. Not yours? Name another one.';
  return 'Kept. Now open the link in our mail: it counts once you have confirmed it.';
}

/** PAY-13: where the buyer wants money back, should there be any; it counts once it was confirmed by mail. */
export function RefundAddress({ orderId, isDue }: RefundAddressProps) {
  const [kept, setKept] = useState(NONE);
  const [written, setWritten] = useState<string | null>(null);
  const [busyWith, setBusyWith] = useState<'keeping' | 'sending' | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const address = written ?? kept.address ?? '';
  const isKept = address !== '' && address.trim() === kept.address;

  // On a slow connection what was asked for first may come last: it must not take back what was kept meanwhile.
  const asked = useRef(0);
  const taken = useRef(0);
  const take = useCallback(async (ask: () => Promise<SavedAddress>): Promise<SavedAddress> => {
    asked.current += 1;
    const own = asked.current;
    const answer = await ask();
    if (own > taken.current) {
      taken.current = own;
      setKept(answer);
    }
    return answer;
  }, []);

  useEffect(() => {
    const read = () =>
      void take(() => call('GET /orders/{id}/refund-address', { params: { id: orderId } })).catch((error: unknown) =>
        logError('the address for refunds was not loaded', error),
      );
    read();
    // Who comes back from the mailbox sees that it is confirmed.
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [orderId, take]);

  const keep = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusyWith('keeping');
    setMessage(null);
    try {
      await call('PUT /orders/{id}/refund-address', { params: { id: orderId }, body: { address: address.trim() } });
      await take(() => call('GET /orders/{id}/refund-address', { params: { id: orderId } }));
      // Unless more was written meanwhile.
      setWritten((now) => (now === written ? null : now));
    } catch (error) {
      logError('the address for refunds was not kept', error);
      const isRefused = isApiFailure(error) && error.status >= 400 && error.status < 500;
      setMessage(isRefused ? `${error.message}.` : 'The shop did not answer. Please try again.');
    } finally {
      setBusyWith(null);
    }
  };

  const sendAgain = async () => {
    setBusyWith('sending');
    try {
      const answer = await take(() => call('POST /orders/{id}/refund-address/resend', { params: { id: orderId } }));
      showToast('success', answer.confirmed ? 'Your address is confirmed' : 'The link is on its way');
    } catch (error) {
      if (!isRefusal(error)) logError('the link was not sent', error);
      showToast('error', 'The link was not sent', 'Please try again in a while');
    } finally {
      setBusyWith(null);
    }
  };

  return (
    <details className={styles.details} open={isDue || undefined}>
      <summary>
        Address for refunds <span>{describeBadge(kept, isDue)}</span>
      </summary>
      <form onSubmit={(event) => void keep(event)} noValidate className={styles.form}>
        <Field
          label="Your Bitcoin address"
          name="refundAddress"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          value={address}
          message={message}
          hint={`${isDue ? 'What goes back to you is sent there' : 'Should you pay too much, or too late, we send it back there'}. Give an address of your own wallet: an exchange may not credit it to you.`}
          onChange={(event) => {
            setWritten(event.currentTarget.value);
            setMessage(null);
          }}
        />
        <output className={styles.state} data-confirmed={kept.confirmed || undefined}>
          {isKept && (
            <>
              {/* Whole: the field shows its beginning only. */}
              <code>{kept.address}</code>
              <span>{describeState(kept)}</span>
            </>
          )}
        </output>
        <div className={styles.actions}>
          {isKept && !kept.confirmed && (
            <Button variant="secondary" isBusy={busyWith === 'sending'} onClick={() => void sendAgain()}>
              Send the mail again
            </Button>
          )}
          {!isKept && (
            <Button type="submit" variant="secondary" isBusy={busyWith === 'keeping'} disabled={address.trim() === ''}>
              Keep this address
            </Button>
          )}
        </div>
        <NeedsScript />
      </form>
    </details>
  );
}
