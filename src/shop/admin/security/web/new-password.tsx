import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { MIN_STAFF_PASSWORD_LENGTH } from '#src/shop/accounts/registration/check-password.ts';
import { getUpdateError, NOT_UPDATED_MESSAGE } from '#src/shop/accounts/web/update-messages.ts';
import { PasswordField } from '#src/shop/accounts/web/password-field.tsx';
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { Button } from '#src/ui/button.tsx';
import { logError } from '#src/ui/log-error.ts';
import { showToast } from '#src/ui/show-toast.ts';
import { Section } from '#src/ui/section.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import styles from './new-password.module.css';

const TOO_SHORT = `Password must be at least ${MIN_STAFF_PASSWORD_LENGTH} characters`;

/** OPS-17: the back office stays closed until the password is long enough for a member of the team. */
export function NewPassword({ userId }: { readonly userId: string }) {
  const isHydrated = useHydrated();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const showMessage = (text: string): void => {
      setMessage(text);
      form.querySelector('input')?.focus();
    };
    const password = readField(new FormData(form), 'password');
    if (password.length < MIN_STAFF_PASSWORD_LENGTH) {
      showMessage(TOO_SHORT);
      return;
    }
    setIsBusy(true);
    setMessage(null);
    try {
      await call('PUT /users/{id}', { params: { id: userId }, body: { password } });
      showToast('success', 'The password was changed');
      await reloadPage();
    } catch (error) {
      if (!isRefusal(error)) logError('The password was not changed', error);
      showMessage(getUpdateError('password', error) ?? NOT_UPDATED_MESSAGE);
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Section title="Longer password required" surface="outlined">
      <p className="muted measure">
        Your password is too short for a member of the team. The back office opens once you have set a longer one. All
        your other devices are logged out.
      </p>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          maxLength={128}
          required
          hint={`At least ${MIN_STAFF_PASSWORD_LENGTH} characters.`}
          message={message}
        />
        <div>
          <Button type="submit" isBusy={isBusy || !isHydrated}>
            Set password
          </Button>
        </div>
      </form>
    </Section>
  );
}
