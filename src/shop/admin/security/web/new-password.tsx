import { MIN_STAFF_PASSWORD_LENGTH } from '#src/shop/accounts/registration/check-password.ts';
import { getUpdateError, NOT_UPDATED_MESSAGE } from '#src/shop/accounts/web/update-messages.ts';
import { PasswordField } from '#src/shop/accounts/web/password-field.tsx';
import { readField } from '#src/ui/form/read-field.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import styles from './new-password.module.css';

const TOO_SHORT = `Password must be at least ${MIN_STAFF_PASSWORD_LENGTH} characters`;

/** OPS-17: the back office stays closed until the password is long enough for a member of the team. */
export function NewPassword({ userId }: { readonly userId: string }) {
  const isHydrated = useHydrated();
  const { ref, submit, isBusy, bind } = useCallForm({
    log: 'The password was not changed',
    read: (form) => readField(new FormData(form), 'password'),
    check: (password) => ({ password: password.length < MIN_STAFF_PASSWORD_LENGTH ? TOO_SHORT : null }),
    send: (password) => call('PUT /users/{id}', { params: { id: userId }, body: { password } }),
    saved: 'The password was changed',
    describe: (error) => ({
      text: null,
      problems: { password: getUpdateError('password', error) ?? NOT_UPDATED_MESSAGE },
    }),
  });

  return (
    <Section title="Longer password required" surface="outlined">
      <p className="muted measure">
        Your password is too short for a member of the team. The back office opens once you have set a longer one. All
        your other devices are logged out.
      </p>
      <form ref={ref} className={styles.form} onSubmit={submit} noValidate>
        <PasswordField
          label="New password"
          {...bind('password')}
          autoComplete="new-password"
          maxLength={128}
          required
          hint={`At least ${MIN_STAFF_PASSWORD_LENGTH} characters.`}
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
