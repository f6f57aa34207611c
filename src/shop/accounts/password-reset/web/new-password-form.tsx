import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { MIN_PASSWORD_LENGTH } from '../../registration/check-registration.ts';
import { FailureMessage } from '../../web/account-frame.tsx';
import { PasswordField } from '../../web/password-field.tsx';
import { readField } from '../../web/read-field.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import styles from './new-password-form.module.css';
import { requestCode } from './request-code.ts';
import { EMAIL_MISSING, findMissing, NOT_SENT, readReset, toResetFailure } from './reset-failure.ts';
import type { FieldName, ResetFailure } from './reset-failure.ts';

interface NewPasswordFormProps {
  /** Address that the code was sent to. */
  readonly email: string;
  /** What was typed, and why it was refused, without scripts. */
  readonly code: string;
  readonly refused: ResetFailure | null;
  readonly onBack: () => void;
}

export function NewPasswordForm({ email, code, refused: refusedBefore, onBack }: NewPasswordFormProps) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState<'reset' | 'send' | null>(null);
  const [failed, setFailed] = useState(refusedBefore);

  useEffect(() => {
    // The previous step is unmounted and took the focus with it.
    form.current?.querySelector<HTMLInputElement>('[name="code"]')?.focus();
  }, []);

  const focusOn = (name: FieldName) => form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
  const showFailure = (refused: ResetFailure) => {
    setFailed(refused);
    // The message above the form has the detail.
    showToast('error', refused.title);
    focusOn(refused.fields[0] ?? 'code');
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy !== null) return;
    const body = readReset(new FormData(event.currentTarget));
    const missing = findMissing(body);
    if (missing !== null) {
      showFailure(missing);
      return;
    }
    setBusy('reset');
    setFailed(null);
    try {
      await call('POST /users/reset-password', { body });
      showToast('success', 'Password has been reset successfully');
      await navigate('/login');
    } catch (error) {
      if (!isRefusal(error)) logError('Password reset failed', error);
      showFailure(toResetFailure(error));
    } finally {
      setBusy(null);
    }
  };

  const sendAgain = async () => {
    const address = readField(new FormData(form.current ?? undefined), 'email').trim();
    if (address === '') {
      showFailure({ title: EMAIL_MISSING, detail: null, fields: ['email'] });
      return;
    }
    setBusy('send');
    setFailed(null);
    const refused = await requestCode(address);
    setBusy(null);
    if (refused !== null) setFailed({ title: NOT_SENT, detail: refused.detail, fields: [] });
    // Keep the focus of a user who is already typing.
    else if (!form.current?.querySelector('input:focus')) focusOn('code');
  };

  const bind = (name: FieldName) => ({ name, required: true, isInvalid: failed?.fields.includes(name) === true });
  return (
    <form ref={form} method="post" action="/lost-password" onSubmit={(event) => void submit(event)} noValidate>
      {failed && <FailureMessage title={failed.title} detail={failed.detail} />}
      <Field
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        defaultValue={email}
        {...bind('email')}
      />
      <Field
        label="Code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        maxLength={40}
        defaultValue={code}
        hint="The 8-character code from our email. If it is missing, check your spam folder."
        className={styles.code}
        {...bind('code')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        maxLength={128}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
        {...bind('newPassword')}
      />
      <div className={styles.actions}>
        <Button type="submit" width="full" isBusy={busy === 'reset'} disabled={busy !== null}>
          Reset password
        </Button>
        <Button
          type="submit"
          name="step"
          value="back"
          variant="secondary"
          onClick={(event) => {
            event.preventDefault();
            onBack();
          }}
        >
          Back
        </Button>
        <Button
          type="submit"
          name="step"
          value="resend"
          variant="tertiary"
          isBusy={busy === 'send'}
          disabled={busy !== null}
          onClick={(event) => {
            event.preventDefault();
            void sendAgain();
          }}
        >
          Resend code
        </Button>
      </div>
    </form>
  );
}
