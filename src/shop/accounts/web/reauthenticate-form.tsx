import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { PasswordField } from './password-field.tsx';
import { readField } from './read-field.ts';
import { isApiFailure, isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { Button } from '#src/ui/button.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import { appendReturnPath } from '../sessions/return-path.ts';
import styles from './account-details.module.css';

interface ReauthenticateFormProps {
  /** Why the password is required. */
  readonly lead: string;
  /** Called after the correct password. */
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Asks for the password again, in place. */
export function ReauthenticateForm({ lead, onDone, onCancel }: ReauthenticateFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  const focusInput = () => form.current?.querySelector('input')?.focus();
  useEffect(focusInput, []);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const password = readField(new FormData(event.currentTarget), 'password');
    if (password === '') {
      setMessage('Password is required');
      focusInput();
      return;
    }
    setIsBusy(true);
    try {
      await call('POST /users/reauthenticate', { body: { password } });
      onDone();
    } catch (error) {
      if (isApiFailure(error) && error.status === 401) {
        const { pathname, search } = location;
        await navigate(appendReturnPath('/login', `${pathname}${search}`), { replace: true });
        showToast('error', 'You were logged out', error.message);
        return;
      }
      if (!isRefusal(error)) logError('Checking the password failed', error);
      setMessage(describeOutage(error) ?? 'Incorrect password');
      setIsBusy(false);
      focusInput();
    }
  };

  return (
    <form ref={form} className={styles.again} onSubmit={(event) => void submit(event)} noValidate>
      <p>{lead}</p>
      <PasswordField
        label="Current password"
        name="password"
        autoComplete="current-password"
        maxLength={128}
        required
        message={message}
      />
      <div>
        <Button type="submit" isBusy={isBusy}>
          Continue
        </Button>
        <Button variant="quaternary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
