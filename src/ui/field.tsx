import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface LabelProps {
  readonly label: string;
  /** What is wrong with it; shown beneath, and the field is marked. */
  readonly message?: string | null | undefined;
  /** Marked as wrong without a word. */
  readonly isInvalid?: boolean | undefined;
  /** What helps to fill it in. */
  readonly hint?: string | undefined;
}

interface FieldFrameProps extends LabelProps {
  readonly id: string | undefined;
  readonly className: string | undefined;
  /** The control, which is named and described by what stands around it. */
  readonly children: (named: {
    readonly id: string;
    readonly 'aria-invalid': true | undefined;
    readonly 'aria-describedby': string | undefined;
  }) => ReactNode;
}

/** A control with its label above and what is wrong with it, or helps with it, beneath. */
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
        <p id={`${inputId}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface FieldProps extends LabelProps, Omit<ComponentProps<'input'>, 'children'> {
  /** A button inside the field, at its end. */
  readonly end?: ReactNode;
}

/** A line of text. */
export function Field({ label, message, isInvalid, hint, end, className, id, ...input }: FieldProps) {
  return (
    <FieldFrame {...{ label, message, isInvalid, hint, className, id }}>
      {(named) => (
        <>
          <input {...input} {...named} className={classNames(styles.input, end !== undefined && styles.withEnd)} />
          {end !== undefined && <span className={styles.end}>{end}</span>}
        </>
      )}
    </FieldFrame>
  );
}

/** The browser's own list; the options are its children. */
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
      {(named) => (
        <select {...select} {...named} className={classNames(styles.input, styles.select)}>
          {children}
        </select>
      )}
    </FieldFrame>
  );
}
