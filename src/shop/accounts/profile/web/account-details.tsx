import { MIN_STAFF_PASSWORD_LENGTH } from '../../registration/check-password.ts';
import type { User } from '../../contract.ts';
import { MIN_PASSWORD_LENGTH } from '../../registration/check-registration.ts';
import { call } from '#src/storefront/call.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { session } from '#src/storefront/session/session.ts';
import styles from '../../web/account-details.module.css';
import { EditableField } from './editable-field.tsx';
import type { FieldName } from '../../web/update-messages.ts';

interface AccountDetailsProps {
  readonly user: Pick<User, 'id' | 'username' | 'email' | 'role'>;
}

/** Editable fields of the account. */
export function AccountDetails({ user: { id, username, email, role } }: AccountDetailsProps) {
  const minLength = role === 'customer' ? MIN_PASSWORD_LENGTH : MIN_STAFF_PASSWORD_LENGTH;
  const save = async (name: FieldName, value: string) => {
    const user = await call('PUT /users/{id}', { params: { id }, body: { [name]: value } });
    session.update({ user });
    void reloadPage();
  };
  return (
    <div className={styles.fields}>
      <EditableField
        name="username"
        label="Username"
        fieldLabel="username"
        value={username}
        maxLength={60}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        onSave={save}
      />
      <EditableField
        name="email"
        label="Email address"
        fieldLabel="email address"
        type="email"
        inputMode="email"
        value={email}
        maxLength={254}
        autoComplete="email"
        onSave={save}
      />
      <EditableField
        name="password"
        label="Your password"
        fieldLabel="password"
        value=""
        maxLength={128}
        autoComplete="new-password"
        placeholder="••••••••"
        minLength={minLength}
        hint={`At least ${minLength} characters. Changing it logs out all other devices.`}
        onSave={save}
      />
    </div>
  );
}
