import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { keepSignedIn } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { logError } from '#src/ui/log-error.ts';
import { AccountFrame } from '../../web/account-frame.tsx';
import { describeFailure } from '../../web/describe-failure.ts';
import { readField } from '../../web/read-field.ts';
import styles from './code-form.module.css';

interface CodeFormProps {
  readonly onSignedIn: (signedIn: Awaited<ReturnType<typeof keepSignedIn>>) => Promise<void>;
  /** The password has to be entered again. */
  readonly onExpired: () => void;
  readonly onCancelled: () => void;
}

/** OPS-17: asks for the second factor after the password. */
export function CodeForm({ onSignedIn, onExpired, onCancelled }: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  const focusInput = () => form.current?.querySelector('input')?.focus();
  useEffect(focusInput, []);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    try {
      const code = readField(new FormData(event.currentTarget), 'code');
      await onSignedIn(await keepSignedIn(await call('POST /users/login/second-factor', { body: { code } })));
    } catch (error) {
      if (isApiFailure(error) && error.code === 'login-expired') {
        onExpired();
        return;
      }
      if (!isRefusal(error)) logError('Checking the code failed', error);
      setMessage(describeFailure(error) ?? 'The code is wrong or was used before');
      setIsBusy(false);
      focusInput();
    }
  };

  return (
    <AccountFrame
      title="Enter your code"
      lead="Open your authenticator app and enter the six digits it shows for this shop."
      footer="No access to the app? Enter one of your recovery codes."
    >
      <form ref={form} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          required
          message={message}
        />
        <Button type="submit" width="full" isBusy={isBusy}>
          Log in
        </Button>
        <Button variant="quaternary" width="full" onClick={onCancelled}>
          Use another account
        </Button>
      </form>
    </AccountFrame>
  );
}
