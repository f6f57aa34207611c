import type { ComponentProps } from 'react';
import { useState } from 'react';
import { Field } from '#src/ui/fields/field.tsx';
import { EyeIcon } from './eye-icon.tsx';

interface PasswordFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'end' | 'label'> {
  readonly label?: string;
}

/** Password input with a show/hide button. */
export function PasswordField({ label = 'Password', ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      {...props}
      label={label}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setIsShown(!isShown)}
        >
          <EyeIcon isCrossed={isShown} />
        </button>
      }
    />
  );
}
