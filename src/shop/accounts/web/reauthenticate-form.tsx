import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { PasswordField } from './password-field.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { isApiFailure } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
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
  const navigate = useNavigate();
  const { ref, submit, isBusy, bind } = useCallForm({
    log: 'Checking the password failed',
    read: (form) => readField(new FormData(form), 'password'),
    check: (password) => ({ password: password === '' ? 'Password is required' : null }),
    send: async (password) => {
      try {
        await call('POST /users/reauthenticate', { body: { password } });
        onDone();
      } catch (error) {
        if (!isApiFailure(error) || error.status !== 401) throw error;
        const { pathname, search } = location;
        await navigate(appendReturnPath('/login', `${pathname}${search}`), { replace: true });
        showToast('error', 'You were logged out', error.message);
      }
    },
    describe: (error) => ({ text: null, problems: { password: describeOutage(error) ?? 'Incorrect password' } }),
  });
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref]);

  return (
    <form ref={ref} className={styles.again} onSubmit={submit} noValidate>
      <p>{lead}</p>
      <PasswordField
        label="Current password"
        {...bind('password')}
        autoComplete="current-password"
        maxLength={128}
        required
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
