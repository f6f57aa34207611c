import { useEffect, useRef, useState } from 'react';
import { ReauthenticateForm } from '#src/shop/accounts/web/reauthenticate-form.tsx';
import { setPasswordPrompt } from '#src/storefront/call.ts';
import { Dialog } from '#src/ui/dialog.tsx';

/**
 * OPS-17: asks for the password when a call needs a recent one. The call is then made again, so the
 * form that made it keeps its content. Part of every page of the back office.
 */
export function PasswordDialog() {
  const [isOpen, setIsOpen] = useState(false);
  /** Concurrent calls share one question. */
  const question = useRef<PromiseWithResolvers<boolean> | null>(null);

  const answer = (isEntered: boolean): void => {
    question.current?.resolve(isEntered);
    question.current = null;
    setIsOpen(false);
  };
  useEffect(() => {
    setPasswordPrompt(() => {
      question.current ??= Promise.withResolvers<boolean>();
      setIsOpen(true);
      return question.current.promise;
    });
    return () => {
      setPasswordPrompt(null);
      question.current?.resolve(false);
      question.current = null;
    };
  }, []);

  return (
    <Dialog title="Enter your password" isOpen={isOpen} onClose={() => answer(false)}>
      {isOpen && (
        <ReauthenticateForm
          lead="Enter your password to continue. You last entered it more than 15 minutes ago."
          onDone={() => answer(true)}
          onCancel={() => answer(false)}
        />
      )}
    </Dialog>
  );
}
