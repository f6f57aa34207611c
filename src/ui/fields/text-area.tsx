import type { ComponentProps } from 'react';
import { classNames } from '../styles/class-names.ts';
import { FieldFrame } from './field.tsx';
import { useExcess } from './use-excess.ts';
import styles from './field.module.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'children'> {
  readonly label: string;
  readonly message?: string | null | undefined;
  /** Marked as invalid without a message. */
  readonly isInvalid?: boolean | undefined;
  /** Most characters. More can be typed; the field then says how many to remove. */
  readonly maxLength?: number | undefined;
  /** Help text. */
  readonly hint?: string | undefined;
}

/** Multi-line text input, resizable in height. */
export function TextArea({ label, message, isInvalid, hint, className, id, maxLength, ...textarea }: TextAreaProps) {
  const { excess, watch } = useExcess(maxLength, textarea);
  return (
    <FieldFrame {...{ label, isInvalid, hint, className, id }} message={message || excess}>
      {(attributes) => (
        <textarea rows={7} {...textarea} {...watch} {...attributes} className={classNames(styles.input, styles.area)} />
      )}
    </FieldFrame>
  );
}
