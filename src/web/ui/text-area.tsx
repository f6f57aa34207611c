import type { ComponentProps } from 'react';
import { useId } from 'react';
import { classNames } from './class-names.ts';
import { describedBy, Notes } from './field.tsx';
import styles from './field.module.css';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'children'> {
  readonly label: string;
  readonly message?: string | null | undefined;
}

/** Text of several lines; it can be pulled taller. */
export function TextArea({ label, message, className, id, ...textarea }: TextAreaProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const hasMessage = (message ?? '') !== '';
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={inputId} className={styles.label}>
        {label}
      </label>
      <textarea
        rows={7}
        {...textarea}
        id={inputId}
        className={classNames(styles.input, styles.area)}
        aria-invalid={hasMessage || undefined}
        aria-describedby={describedBy(inputId, hasMessage)}
      />
      <Notes inputId={inputId} message={message} hint={undefined} />
    </div>
  );
}
