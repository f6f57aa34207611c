import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { useNavigate } from 'react-router';
import { FailureMessage } from '#src/shop/accounts/web/account-frame.tsx';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { ReauthenticateForm } from '#src/shop/accounts/web/reauthenticate-form.tsx';
import { isReauthenticationRequired } from '#src/shop/accounts/web/update-messages.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { signOut } from '#src/storefront/session/session.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { showToast } from '#src/ui/show-toast.ts';
import styles from './your-data.module.css';

const NOT_DELETED = 'Your account was not deleted';

interface DeleteAccountProps {
  readonly user: { readonly id: string; readonly username: string };
}

export function DeleteAccount({ user: { id, username } }: DeleteAccountProps) {
  const isAlive = useHydrated();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [message, setMessage] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [state, setState] = useState<'writing' | 'asking' | 'deleting'>('writing');

  useEffect(() => {
    if (isOpen) form.current?.querySelector('input')?.focus();
  }, [isOpen]);

  const remove = async () => {
    setState('deleting');
    setFailure(null);
    try {
      await call('DELETE /users/{id}', { params: { id }, body: { username: typed } });
      await signOut();
      await navigate('/');
      showToast('success', 'Your account is deleted');
    } catch (error) {
      if (isReauthenticationRequired(error)) {
        setState('asking');
        return;
      }
      setState('writing');
      if (!isRefusal(error)) logError('the account was not deleted', error);
      showToast('error', NOT_DELETED);
      setFailure(describeOutage(error) ?? (isRefusal(error) ? error.message : null));
    }
  };

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state !== 'writing') return;
    if (typed.trim() === username) {
      setMessage(null);
      void remove();
      return;
    }
    setMessage('This is not your username');
    form.current?.querySelector('input')?.focus();
  };

  const close = () => {
    setIsOpen(false);
    setTyped('');
    setMessage(null);
    setFailure(null);
    opener.current?.focus();
  };

  return (
    <div className={styles.part}>
      <p>
        This permanently deletes your account with name, email address, delivery addresses, carts and messages. We keep
        the order data that the law requires for accounting, without your name, and the issued invoices as they are.
      </p>
      <Button
        ref={opener}
        variant="secondary"
        aria-expanded={isOpen}
        isBusy={!isAlive}
        onClick={() => (isOpen ? close() : setIsOpen(true))}
      >
        Delete account
      </Button>
      {isOpen && (
        <form ref={form} className={styles.confirm} onSubmit={submit} noValidate>
          {failure !== null && <FailureMessage title={NOT_DELETED} detail={failure} />}
          <Field
            label="Type your username to confirm"
            name="confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            hint={`Your username is ${username}.`}
            message={message}
            value={typed}
            readOnly={state !== 'writing'}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <div>
            <Button onClick={close}>Cancel</Button>
            <Button
              type="submit"
              variant="secondary"
              className={styles.danger}
              isBusy={state === 'deleting'}
              disabled={state === 'asking'}
            >
              Delete permanently
            </Button>
          </div>
        </form>
      )}
      {isOpen && state === 'asking' && (
        <ReauthenticateForm
          lead="Enter your password to delete your account."
          onDone={() => void remove()}
          onCancel={() => setState('writing')}
        />
      )}
    </div>
  );
}
