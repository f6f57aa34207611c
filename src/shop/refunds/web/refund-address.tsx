import { useEffect, useState } from 'react';
import type { SubmitEvent } from 'react';
import { isApiFailure } from '#src/web/api.ts';
import { call } from '#src/web/call.ts';
import { logFault } from '#src/web/log-fault.ts';
import { Button } from '#src/web/ui/button.tsx';
import { Field } from '#src/web/ui/field.tsx';
import styles from './refund-address.module.css';

interface RefundAddressProps {
  readonly orderId: string;
  /** There is money to give back: the form is open from the start. */
  readonly isDue: boolean;
}

const MAX_LENGTH = 100;

function wordFor(kept: string | null, isDue: boolean): string {
  if (kept !== null) return 'kept';
  return isDue ? 'please tell us' : 'optional';
}

/** PAY-13: where the buyer wants money back, should there be any to give back. */
export function RefundAddress({ orderId, isDue }: RefundAddressProps) {
  const [kept, setKept] = useState<string | null>(null);
  const [written, setWritten] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const address = written ?? kept ?? '';

  useEffect(() => {
    let isCurrent = true;
    call('GET /orders/{id}/refund-address', { params: { id: orderId } })
      .then((answer) => isCurrent && setKept(answer.address))
      .catch((error: unknown) => logFault('the address for refunds was not loaded', error));
    return () => {
      isCurrent = false;
    };
  }, [orderId]);

  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setMessage(null);
    try {
      await call('PUT /orders/{id}/refund-address', { params: { id: orderId }, body: { address: address.trim() } });
      setKept(address.trim());
      setWritten(null);
    } catch (error) {
      logFault('the address for refunds was not kept', error);
      const isRefused = isApiFailure(error) && error.status >= 400 && error.status < 500;
      setMessage(isRefused ? `${error.message}.` : 'The shop did not answer. Please try again.');
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <details className={styles.details} open={isDue || undefined}>
      <summary>
        Address for refunds <span>{wordFor(kept, isDue)}</span>
      </summary>
      <form onSubmit={(event) => void save(event)} noValidate className={styles.form}>
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
        <div className={styles.actions}>
          <Button
            type="submit"
            variant="secondary"
            isBusy={isBusy}
            disabled={address.trim() === '' || address.trim() === kept}
          >
            Keep this address
          </Button>
          <output>{kept !== null && address === kept && 'Kept with this order.'}</output>
        </div>
      </form>
    </details>
  );
}
