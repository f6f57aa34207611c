import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { keepSignedIn } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { logError } from '#src/ui/log-error.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { describeCodeFailure } from '../../web/login-failure.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { readField } from '../../web/read-field.ts';
import { signWithPasskey } from './browser-passkeys.ts';
import styles from './code-form.module.css';

interface CodeFormProps {
  readonly onSignedIn: (signedIn: Awaited<ReturnType<typeof keepSignedIn>>) => Promise<void>;
  /** The password has to be entered again. */
  readonly onExpired: () => void;
  readonly onCancel: () => void;
}

interface Offered {
  readonly hasApp: boolean;
  readonly hasPasskey: boolean;
}

const CODE_ONLY: Offered = { hasApp: true, hasPasskey: false };

/** What the account can complete its login with. Null while it is loaded. */
function useOffered(onExpired: () => void): Offered | null {
  const [offered, setOffered] = useState<Offered | null>(null);
  const expire = useRef(onExpired);
  useEffect(() => {
    call('POST /users/login/second-factors').then(
      ({ has_app: hasApp, passkey_options: options }) => setOffered({ hasApp, hasPasskey: options !== null }),
      (error: unknown) => {
        if (isApiFailure(error) && error.code === 'login-expired') expire.current();
        // Codes can be entered in any case.
        else setOffered(CODE_ONLY);
      },
    );
  }, []);
  return offered;
}

type SignedIn = Parameters<typeof keepSignedIn>[0];

/** Runs one attempt at a time. Shows why one failed, unless the login has ended. */
function useAttempt({ onSignedIn, onExpired }: Pick<CodeFormProps, 'onSignedIn' | 'onExpired'>) {
  const [isBusy, setIsBusy] = useState(false);
  const attempt = async (signIn: () => Promise<SignedIn>, show: (error: unknown) => void): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      await onSignedIn(await keepSignedIn(await signIn()));
    } catch (error) {
      if (isApiFailure(error) && error.code === 'login-expired') {
        onExpired();
        return;
      }
      if (!isRefusal(error)) logError('Checking the second factor failed', error);
      setIsBusy(false);
      show(error);
    }
  };
  return { isBusy, attempt };
}

async function signInWithPasskey(): Promise<SignedIn> {
  // The challenge of the first load may have expired.
  const { passkey_options: options } = await call('POST /users/login/second-factors');
  if (options === null) throw new Error('the passkey was removed');
  return call('POST /users/login/passkey', { body: { credential: await signWithPasskey(options) } });
}

function describePasskeyFailure(error: unknown): string {
  const isRefused = isRefusal(error) && error.status !== 429;
  return (isRefused ? `${error.message}.` : describeOutage(error)) ?? 'The passkey was not accepted.';
}

interface PasskeyButtonProps {
  readonly isBusy: boolean;
  readonly failure: string | null;
  readonly onPress: () => void;
}

const PasskeyButton = ({ isBusy, failure, onPress }: PasskeyButtonProps) => (
  <>
    {failure !== null && <FailureMessage title="Not logged in" detail={failure} />}
    <Button width="full" isBusy={isBusy} onClick={onPress}>
      Use a passkey
    </Button>
  </>
);

/** OPS-17: asks for the second factor after the password. */
export function CodeForm({ onSignedIn, onExpired, onCancel }: CodeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const offered = useOffered(onExpired);
  const { isBusy, attempt } = useAttempt({ onSignedIn, onExpired });
  const [message, setMessage] = useState<string | null>(null);
  const [passkeyFailure, setPasskeyFailure] = useState<string | null>(null);
  useEffect(() => {
    if (offered !== null) form.current?.querySelector<HTMLElement>('button, input')?.focus();
  }, [offered]);

  const clear = (): void => {
    setMessage(null);
    setPasskeyFailure(null);
  };
  const enterCode = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const code = readField(new FormData(event.currentTarget), 'code');
    clear();
    void attempt(
      () => call('POST /users/login/second-factor', { body: { code } }),
      (error) => {
        setMessage(describeCodeFailure(error));
        form.current?.querySelector('input')?.focus();
      },
    );
  };
  const pressPasskey = (): void => {
    clear();
    void attempt(signInWithPasskey, (error) => setPasskeyFailure(describePasskeyFailure(error)));
  };

  if (offered === null) {
    return (
      <AccountFrame title="Two-step login" lead="Loading what your account can log in with." footer={null}>
        {null}
      </AccountFrame>
    );
  }
  const { hasApp, hasPasskey } = offered;
  return (
    <AccountFrame
      title={hasPasskey ? 'Confirm it is you' : 'Enter your code'}
      lead={describeLead(offered)}
      footer={
        hasApp
          ? 'No access to the app? Enter one of your recovery codes.'
          : 'No access to your passkey? Enter one of your recovery codes.'
      }
    >
      <form ref={form} className={styles.form} onSubmit={enterCode} noValidate>
        {hasPasskey && <PasskeyButton isBusy={isBusy} failure={passkeyFailure} onPress={pressPasskey} />}
        <Field
          label={hasApp ? 'Code' : 'Recovery code'}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          required
          message={message}
        />
        <Button type="submit" width="full" variant={hasPasskey ? 'secondary' : 'primary'} isBusy={isBusy}>
          {hasPasskey ? 'Log in with the code' : 'Log in'}
        </Button>
        <Button variant="quaternary" width="full" onClick={onCancel}>
          Use another account
        </Button>
      </form>
    </AccountFrame>
  );
}

function describeLead({ hasApp, hasPasskey }: Offered): string {
  if (!hasPasskey) return 'Open your authenticator app and enter the six digits it shows for this shop.';
  return hasApp
    ? 'Use a passkey, or enter the six digits that your authenticator app shows for this shop.'
    : 'Use a passkey that you added to your account.';
}
