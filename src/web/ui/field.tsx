import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

interface FieldProps extends Omit<ComponentProps<'input'>, 'children'> {
  readonly label: string;
  /** What is wrong with it; shown beneath, and the field is marked. */
  readonly message?: string | null | undefined;
  /** Marked as wrong without a word. */
  readonly isInvalid?: boolean;
  /** What helps to fill it in. */
  readonly hint?: string;
  /** A button inside the field, at its end. */
  readonly end?: ReactNode;
}

/** A line of text with its label above and what is wrong with it beneath. */
export function Field({ label, message, isInvalid = false, hint, end, className, id, ...input }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const hasMessage = (message ?? '') !== '';
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={inputId} className={styles.label}>
        {label}
      </label>
      <div className={styles.box}>
        <input
          {...input}
          id={inputId}
          className={classNames(styles.input, end !== undefined && styles.withEnd)}
          aria-invalid={hasMessage || isInvalid || undefined}
          aria-describedby={describedBy(inputId, hasMessage, hint)}
        />
        {end !== undefined && <span className={styles.end}>{end}</span>}
      </div>
      <Notes inputId={inputId} message={message} hint={hint} />
    </div>
  );
}

interface SelectProps extends ComponentProps<'select'> {
  readonly label: string;
  readonly message?: string | null | undefined;
  readonly isInvalid?: boolean;
  readonly hint?: string;
}

/** The browser's own list; the options are its children. */
export function Select({ label, message, isInvalid = false, hint, className, id, children, ...select }: SelectProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const hasMessage = (message ?? '') !== '';
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={inputId} className={styles.label}>
        {label}
      </label>
      <div className={styles.box}>
        <select
          {...select}
          id={inputId}
          className={classNames(styles.input, styles.select)}
          aria-invalid={hasMessage || isInvalid || undefined}
          aria-describedby={describedBy(inputId, hasMessage, hint)}
        >
          {children}
        </select>
      </div>
      <Notes inputId={inputId} message={message} hint={hint} />
    </div>
  );
}

export function describedBy(inputId: string, hasMessage: boolean, hint?: string): string | undefined {
  const ids = [hasMessage && `${inputId}-message`, hint !== undefined && `${inputId}-hint`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

interface NotesProps {
  readonly inputId: string;
  readonly message: string | null | undefined;
  readonly hint: string | undefined;
}

export function Notes({ inputId, message, hint }: NotesProps) {
  return (
    <>
      {(message ?? '') !== '' && (
        <p id={`${inputId}-message`} className={styles.message}>
          {message}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${inputId}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </>
  );
}
