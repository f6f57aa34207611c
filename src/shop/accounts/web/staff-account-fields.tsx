import type { ReactNode } from 'react';
import { Field } from '#src/ui/field.tsx';
import { MIN_STAFF_PASSWORD_LENGTH } from '../registration/check-password.ts';
import type { AccountFailure } from './account-failure.ts';
import { PasswordField } from './password-field.tsx';

interface StaffAccountFieldsProps extends Pick<AccountFailure, 'messages'> {
  /** What was typed into a form that was refused without scripts. */
  readonly username: string | undefined;
  /** Fields between name and password. */
  readonly children?: ReactNode;
}

/** Username and password of a new account of the team. */
export const StaffAccountFields = ({ messages, username, children }: StaffAccountFieldsProps) => (
  <>
    <Field
      label="Username"
      name="username"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={60}
      required
      defaultValue={username}
      message={messages['username']}
    />
    {children}
    <PasswordField
      name="password"
      autoComplete="new-password"
      maxLength={128}
      required
      hint={`At least ${MIN_STAFF_PASSWORD_LENGTH} characters.`}
      message={messages['password']}
    />
  </>
);
