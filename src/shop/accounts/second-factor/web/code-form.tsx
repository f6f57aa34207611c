import { useEffect, useRef, useState } from 'react';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logAndDescribe } from '#src/storefront/forms/use-call-action.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { keepSignedIn } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { AccountFrame, FailureMessage } from '../../web/account-frame.tsx';
import { describeCodeFailure } from '../../web/login-failure.ts';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { readField } from '#src/ui/form/read-field.ts';
import { LoadingFactors } from './loading-factors.tsx';
import { signWithPasskey } from './browser-passkeys.ts';
import { Stack } from '#src/ui/layout/stack.ts';

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

const isExpired = (error: unknown): boolean => isApiFailure(error) && error.code === 'login-expired';

/** What the account can complete its login with. Null while it is loaded. */
function useOffered(onExpired: () => void): Offered | null {
  const [offered, setOffered] = useState<Offered | null>(null);
  const expire = useRef(onExpired);
  useEffect(() => {
    call('POST /users/login/second-factors').then(
      ({ has_app: hasApp, passkey_options: options }) => setOffered({ hasApp, hasPasskey: options !== null }),
      (error: unknown) => {
        if (isExpired(error)) expire.current();
        // Codes can be entered in any case.
        else setOffered(CODE_ONLY);
      },
    );
  }, []);
  return offered;
}

type SignedIn = Parameters<typeof keepSignedIn>[0];

async function signInWithPasskey(): Promise<SignedIn> {
  // The challenge of the first load may have expired.
  const { passkey_options: options } = await call('POST /users/login/second-factors');
  if (options === null) throw new Error('the passkey was removed');
  return call('POST /users/login/passkey', { body: { credential: await signWithPasskey(options) } });
}

function describePasskeyFailure(error: unknown): FormFailure {
  const isRefused = isRefusal(error) && error.status !== 429;
  const reason = isRefused ? `${error.message}.` : describeOutage(error);
  return { title: 'Not logged in', text: reason ?? 'The passkey was not accepted.', problems: {} };
}

const LOG = 'Checking the second factor failed';

/** OPS-17: asks for the second factor after the password. */
export function CodeForm({ onSignedIn, onExpired, onCancel }: CodeFormProps) {
  const offered = useOffered(onExpired);
  const enter = async (signIn: () => Promise<SignedIn>): Promise<void> => {
    try {
      await onSignedIn(await keepSignedIn(await signIn()));
    } catch (error) {
      if (!isExpired(error)) throw error;
      onExpired();
    }
  };
  const { ref, submit, isBusy, failed, bind, run } = useCallForm({
    log: LOG,
    read: (form) => readField(new FormData(form), 'code'),
    send: (code) => enter(() => call('POST /users/login/second-factor', { body: { code } })),
    describe: (error) => ({ text: null, problems: { code: describeCodeFailure(error) } }),
  });
  useEffect(() => {
    if (offered !== null) ref.current?.querySelector<HTMLElement>('button, input')?.focus();
  }, [offered, ref]);

  if (offered === null) return <LoadingFactors />;
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
      <Stack as="form" ref={ref} onSubmit={submit} noValidate>
        {failed && <FailureMessage {...failed} />}
        {hasPasskey && (
          <Button
            width="full"
            isBusy={isBusy}
            onClick={() => void run(() => enter(signInWithPasskey), logAndDescribe(LOG, describePasskeyFailure))}
          >
            Use a passkey
          </Button>
        )}
        <Field
          label={hasApp ? 'Code' : 'Recovery code'}
          {...bind('code')}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          required
        />
        <Button type="submit" width="full" variant={hasPasskey ? 'secondary' : 'primary'} isBusy={isBusy}>
          {hasPasskey ? 'Log in with the code' : 'Log in'}
        </Button>
        <Button variant="quaternary" width="full" onClick={onCancel}>
          Use another account
        </Button>
      </Stack>
    </AccountFrame>
  );
}

function describeLead({ hasApp, hasPasskey }: Offered): string {
  if (!hasPasskey) return 'Open your authenticator app and enter the six digits it shows for this shop.';
  return hasApp
    ? 'Use a passkey, or enter the six digits that your authenticator app shows for this shop.'
    : 'Use a passkey that you added to your account.';
}
