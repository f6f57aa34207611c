import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import { classNames } from '../styles/class-names.ts';
import styles from './field.module.css';
import { useExcess } from './use-excess.ts';

interface LabelProps {
  readonly label: string;
  /** Error message below the field, which is marked as invalid. */
  readonly message?: string | null | undefined;
  /** Marked as invalid without a message. */
  readonly isInvalid?: boolean | undefined;
  /** Help text. */
  readonly hint?: string | undefined;
}

interface FieldFrameProps extends LabelProps {
  readonly id: string | undefined;
  readonly className: string | undefined;
  /** The control; label and messages name and describe it. */
  readonly children: (attributes: {
    readonly id: string;
    readonly 'aria-invalid': true | undefined;
    readonly 'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** A control with its label above and its error or help text below. */
export function FieldFrame({ label, message, isInvalid = false, hint, id, className, children }: FieldFrameProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const hasMessage = (message ?? '') !== '';
  const notes = [hasMessage && `${inputId}-message`, hint !== undefined && `${inputId}-hint`].filter(Boolean);
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={inputId} className={styles.label}>
        {label}
      </label>
      <div className={styles.box}>
        {children({
          id: inputId,
          'aria-invalid': hasMessage || isInvalid || undefined,
          'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
        })}
      </div>
      {hasMessage && (
        <p id={`${inputId}-message`} className={styles.message}>
          {message}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${inputId}-hint`} className="muted small">
          {hint}
        </p>
      )}
    </div>
  );
}

interface FieldProps extends LabelProps, Omit<ComponentProps<'input'>, 'children'> {
  /** Button inside the field, at its end. */
  readonly end?: ReactNode;
  /** Most characters. More can be typed; the field then says how many to remove. */
  readonly maxLength?: number | undefined;
}

/** Single-line text input. */
export function Field({ label, message, isInvalid, hint, end, className, id, maxLength, ...input }: FieldProps) {
  const { excess, watch } = useExcess(maxLength, input);
  return (
    <FieldFrame {...{ label, isInvalid, hint, className, id }} message={message || excess}>
      {(attributes) => (
        <>
          <input
            {...input}
            {...watch}
            {...attributes}
            className={classNames(styles.input, end !== undefined && styles.withEnd)}
          />
          {end !== undefined && <span className={styles.end}>{end}</span>}
        </>
      )}
    </FieldFrame>
  );
}

/** Input in a cell of a table or list. Its label, which names row and column, is for screen readers only. */
export function CellInput({
  label,
  message,
  isInvalid = false,
  className,
  ...input
}: Omit<FieldProps, 'hint' | 'end'>) {
  const messageId = useId();
  const hasMessage = (message ?? '') !== '';
  return (
    <>
      <input
        {...input}
        aria-label={label}
        aria-invalid={hasMessage || isInvalid || undefined}
        aria-describedby={hasMessage ? messageId : undefined}
        className={classNames(styles.input, styles.cell, className)}
      />
      {hasMessage && (
        <p id={messageId} className={styles.message}>
          {message}
        </p>
      )}
    </>
  );
}

/** Native select; its children are the options. */
export function Select({
  label,
  message,
  isInvalid,
  hint,
  className,
  id,
  children,
  ...select
}: LabelProps & ComponentProps<'select'>) {
  return (
    <FieldFrame {...{ label, message, isInvalid, hint, className, id }}>
      {(attributes) => (
        <select {...select} {...attributes} className={classNames(styles.input, styles.select)}>
          {children}
        </select>
      )}
    </FieldFrame>
  );
}
