import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame } from './field.tsx';
import styles from './field.module.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'children'> {
  readonly label: string;
  readonly message?: string | null | undefined;
  /** Help text. */
  readonly hint?: string | undefined;
}

/** Multi-line text input, resizable in height. */
export function TextArea({ label, message, hint, className, id, ...textarea }: TextAreaProps) {
  return (
    <FieldFrame {...{ label, message, hint, className, id }}>
      {(attributes) => (
        <textarea rows={7} {...textarea} {...attributes} className={classNames(styles.input, styles.area)} />
      )}
    </FieldFrame>
  );
}
