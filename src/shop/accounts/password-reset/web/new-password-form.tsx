import { useCallback, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { MIN_PASSWORD_LENGTH } from '../../registration/check-registration.ts';
import { FailureMessage } from '../../web/account-frame.tsx';
import { PasswordField } from '../../web/password-field.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { call } from '#src/storefront/call.ts';
import { useCallAction } from '#src/storefront/forms/use-call-action.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import styles from './new-password-form.module.css';
import { NOT_SENT_LOG, requestCode } from './request-code.ts';
import { FIELD_MISSING, findMissing, readReset, toEmailMissing, toNotSent, toResetFailure } from './reset-failure.ts';
import type { FieldName } from './reset-failure.ts';

interface NewPasswordFormProps {
  /** Address that the code was sent to. */
  readonly email: string;
  /** What was typed, and why it was refused, without scripts. */
  readonly code: string;
  readonly refused: FormFailure | null;
  readonly onBack: () => void;
}

/** Resets the password; `again` sends another code. */
function useResetForm(refused: FormFailure | null) {
  const navigate = useNavigate();
  const again = useCallAction({
    log: NOT_SENT_LOG,
    describe: (error) => {
      const failure = toNotSent(error);
      showToast('error', failure.title ?? '', failure.text);
      return failure;
    },
  });
  const reset = useCallForm({
    log: 'Password reset failed',
    read: (form) => readReset(new FormData(form)),
    check: findMissing,
    invalid: FIELD_MISSING,
    send: async (body) => {
      again.show(null);
      await call('POST /users/reset-password', { body });
      showToast('success', 'Password has been reset successfully');
      await navigate('/login');
    },
    describe: toResetFailure,
    focus: 'code',
    // The message above the form has the detail.
    onFailure: ({ title = '' }) => showToast('error', title),
    refused,
  });
  const { ref } = reset;
  const failed = again.failed ?? reset.failed;

  const focusCode = useCallback(() => ref.current?.querySelector<HTMLInputElement>('[name="code"]')?.focus(), [ref]);
  // The previous step is unmounted and took the focus with it.
  useEffect(focusCode, [focusCode]);

  const sendAgain = async () => {
    const address = readField(new FormData(ref.current ?? undefined), 'email').trim();
    const missing = address === '' ? toEmailMissing('reset') : null;
    reset.show(missing);
    if (missing !== null) return showToast('error', missing.title ?? '');
    const isSent = await again.run(() => requestCode(address));
    // Keep the focus of a user who is already typing.
    if (isSent && !ref.current?.querySelector('input:focus')) focusCode();
  };
  return { ref, reset, again, failed, sendAgain };
}

export function NewPasswordForm({ email, code, refused, onBack }: NewPasswordFormProps) {
  const { ref, reset, again, failed, sendAgain } = useResetForm(refused);
  const bind = (name: FieldName) => ({ ...reset.bind(name), required: true });
  return (
    <form ref={ref} method="post" action="/lost-password" onSubmit={reset.submit} noValidate>
      {failed && <FailureMessage {...failed} />}
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
        <Button type="submit" width="full" isBusy={reset.isBusy} disabled={again.isBusy}>
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
          isBusy={again.isBusy}
          disabled={reset.isBusy}
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
