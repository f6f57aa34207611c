import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { FailureMessage } from '#src/shop/accounts/web/account-frame.tsx';
import { describeOutage } from '#src/storefront/forms/describe-failure.ts';
import { ReauthenticateForm } from '#src/shop/accounts/web/reauthenticate-form.tsx';
import { isReauthenticationRequired } from '#src/shop/accounts/web/update-messages.ts';
import { useReauthentication } from '#src/shop/accounts/web/use-reauthentication.ts';
import { readField } from '#src/ui/form/read-field.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { signOut } from '#src/storefront/session/session.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { showToast } from '#src/ui/feedback/show-toast.ts';
import styles from './your-data.module.css';

const NOT_DELETED = 'Your account was not deleted';

interface DeleteAccountProps {
  readonly user: { readonly id: string; readonly username: string };
}

export function DeleteAccount({ user }: DeleteAccountProps) {
  const isAlive = useHydrated();
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    setIsOpen(false);
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
      {isOpen && <DeletionForm user={user} onClose={close} />}
    </div>
  );
}

function DeletionForm({ user: { id, username }, onClose }: DeleteAccountProps & { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const { isAsking, answer, repeat } = useReauthentication();
  const { ref, submit, isBusy, failed, bind } = useCallForm({
    log: 'the account was not deleted',
    read: (form) => readField(new FormData(form), 'confirmation'),
    check: (typed) => ({ confirmation: typed.trim() === username ? null : 'This is not your username' }),
    send: async (typed) => {
      await repeat(() => call('DELETE /users/{id}', { params: { id }, body: { username: typed } }));
      await signOut();
      await navigate('/');
      showToast('success', 'Your account is deleted');
    },
    describe: (error) => {
      if (isReauthenticationRequired(error)) return null;
      showToast('error', NOT_DELETED);
      const text = describeOutage(error) ?? (isRefusal(error) ? error.message : null);
      return { title: NOT_DELETED, text, problems: {} };
    },
  });
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref]);

  return (
    <>
      <form ref={ref} className={styles.confirm} onSubmit={submit} noValidate>
        {failed && <FailureMessage {...failed} />}
        <Field
          label="Type your username to confirm"
          {...bind('confirmation')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          hint={`Your username is ${username}.`}
          readOnly={isBusy}
        />
        <div>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="secondary"
            className={styles.danger}
            isBusy={isBusy && !isAsking}
            disabled={isAsking}
          >
            Delete permanently
          </Button>
        </div>
      </form>
      {isAsking && (
        <ReauthenticateForm
          lead="Enter your password to delete your account."
          onDone={() => answer(true)}
          onCancel={() => answer(false)}
        />
      )}
    </>
  );
}
