import { useEffect } from 'react';
import { ReauthenticateForm } from '#src/shop/accounts/web/reauthenticate-form.tsx';
import { setPasswordPrompt } from '#src/storefront/call.ts';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { useQuestion } from '#src/ui/dialog/use-question.ts';

/**
 * OPS-17: asks for the password when a call needs a recent one. The call is then made again, so the
 * form that made it keeps its content. Part of every page of the back office.
 */
export function PasswordDialog() {
  const { isOpen, ask, answer } = useQuestion();
  useEffect(() => {
    setPasswordPrompt(ask);
    return () => setPasswordPrompt(null);
  }, [ask]);

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
