import type { ReactNode } from 'react';
import { Field } from '#src/ui/fields/field.tsx';
import type { FormState } from '#src/ui/form/use-form.ts';
import { MIN_STAFF_PASSWORD_LENGTH } from '../registration/check-password.ts';
import { PasswordField } from './password-field.tsx';

interface StaffAccountFieldsProps extends Pick<FormState, 'bind'> {
  /** What was typed into a form that was refused without scripts. */
  readonly username: string | undefined;
  /** Fields between name and password. */
  readonly children?: ReactNode;
}

/** Username and password of a new account of the team. */
export const StaffAccountFields = ({ bind, username, children }: StaffAccountFieldsProps) => (
  <>
    <Field
      label="Username"
      {...bind('username')}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={60}
      required
      defaultValue={username}
    />
    {children}
    <PasswordField
      {...bind('password')}
      autoComplete="new-password"
      maxLength={128}
      required
      hint={`At least ${MIN_STAFF_PASSWORD_LENGTH} characters.`}
    />
  </>
);
