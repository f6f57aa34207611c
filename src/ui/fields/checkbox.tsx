import type { ComponentProps, ReactNode } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  readonly children: ReactNode;
  /** Below the label, and part of it. */
  readonly hint?: string;
}

/** A checkbox; its label is part of the tap target. */
export function Checkbox({ children, hint, ...input }: CheckboxProps) {
  return (
    <label className={styles.label}>
      <input {...input} type="checkbox" className={styles.box} />
      <span>
        {children}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
    </label>
  );
}
